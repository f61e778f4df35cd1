import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A self-signed certificate: a client must trust it as its own authority. */
export type Certificate = {
  key: string;
  cert: string;
  /** The path of the certificate, for NODE_EXTRA_CA_CERTS. */
  certPath: string;
  remove(): void;
};

export function makeCertificate(names = 'DNS:localhost,IP:127.0.0.1'): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'settee-push-'));
  const keyPath = join(folder, 'key.pem');
  const certPath = join(folder, 'cert.pem');
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...['-subj', '/CN=A push service for tests', '-addext', `subjectAltName=${names}`],
      ...['-keyout', keyPath, '-out', certPath],
    ],
    { stdio: 'ignore' },
  );
  return {
    key: readFileSync(keyPath, 'utf8'),
    cert: readFileSync(certPath, 'utf8'),
    certPath,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
