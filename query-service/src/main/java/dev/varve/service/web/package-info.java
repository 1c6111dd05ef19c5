/** What every HTTP answer has in common: problem documents, limits, origin checks. */
@NullMarked
package dev.varve.service.web;

import org.jspecify.annotations.NullMarked;
