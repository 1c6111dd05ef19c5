package dev.varve.engine.operator;

/** What became of a build side: a table, or files of which tables are made part by part. */
sealed interface BuildSide permits JoinTable, SpilledBuild {}
