package dev.varve.service.postgres;

import dev.varve.service.home.ServiceConfiguration.Tls;
import dev.varve.service.home.StartFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate and its key, from PEM files to what Java's sockets want. */
final class TlsContext {
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";

  private TlsContext() {}

  static SSLContext of(Tls files) {
    try (InputStream pem = Files.newInputStream(files.certificate())) {
      Certificate[] chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(pem)
              .toArray(Certificate[]::new);
      char[] none = new char[0];
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, none);
      store.setKeyEntry("varve", key(Files.readString(files.key())), none, chain);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, none);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new StartFailure(
          "cannot use tls.certificate and tls.key: "
              + e.getMessage()
              + " (they are a chain of X.509 certificates and a PKCS #8 key without a password,"
              + " as PEM)",
          e);
    }
  }

  private static PrivateKey key(String pem) throws GeneralSecurityException {
    int begin = pem.indexOf(BEGIN);
    int end = pem.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new GeneralSecurityException("the key's file has no PRIVATE KEY");
    }
    byte[] encoded = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
    for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (java.security.spec.InvalidKeySpecException e) {
        // Of another kind.
      }
    }
    throw new GeneralSecurityException("the key is of no known kind");
  }
}
