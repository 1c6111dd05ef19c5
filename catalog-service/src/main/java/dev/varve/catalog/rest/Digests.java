package dev.varve.catalog.rest;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Digests that every Java has. */
final class Digests {
  private Digests() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
