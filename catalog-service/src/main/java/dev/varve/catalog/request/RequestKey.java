package dev.varve.catalog.request;

/**
 * A client's name for one change, by which it may ask for it again without it being made twice.
 *
 * @param key a UUID
 * @param request a digest of what is asked for: a key that comes back with another one is a mistake
 * @param atMillis when it was asked for
 */
public record RequestKey(String key, String request, long atMillis) {}
