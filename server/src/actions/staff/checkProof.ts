import type { FactorProof } from '@settee/protocol/model/secondFactor';
import type { App } from '../../app.ts';
import { recoveryHashes } from '../../auth/recoveryCodes.ts';
import { decryptTotpSecret, totpStep } from '../../auth/totp.ts';
import { verifyPasskeyRequest } from '../../auth/webAuthn.ts';
import { listPasskeys, usePasskey } from '../../db/staff/passkeys.ts';
import { findTotpSecret, useRecoveryCode, useTotpStep } from '../../db/staff/secondFactors.ts';

/** Makes a proof count. False when it has counted before. */
type Use = (db: Parameters<typeof useTotpStep>[0]) => Promise<boolean>;

/** Undefined for what proves nothing; else how to use it up, in the transaction that it opens a session in. */
export async function checkProof(
  app: App,
  staffId: string,
  challenge: string,
  proof: FactorProof,
): Promise<Use | undefined> {
  const { sql } = app.db;
  switch (proof.method) {
    case 'totp': {
      const stored = await findTotpSecret(sql, staffId);
      const secret = stored && decryptTotpSecret(app, staffId, stored);
      const step = secret && totpStep(app, secret, proof.code);
      if (!stored || !step) return undefined;
      return (db) => useTotpStep(db, { staffId, secret: stored, step });
    }
    case 'recovery': {
      const hashes = recoveryHashes(app, staffId, proof.code);
      return (db) => useRecoveryCode(db, staffId, hashes);
    }
    case 'passkey': {
      const known = await listPasskeys(sql, staffId);
      const passkey = known.find(({ credentialId }) => credentialId === proof.response.id);
      const counter = passkey && (await verifyPasskeyRequest(app, passkey, proof.response, challenge));
      if (passkey === undefined || counter === undefined) return undefined;
      return (db) => usePasskey(db, passkey.id, counter);
    }
  }
}
