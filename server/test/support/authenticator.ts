import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyCreation, PasskeyRequest } from '@settee/protocol/model/passkey';
import { cose, isoCBOR } from '@simplewebauthn/server/helpers';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** A security key in software: creates a passkey and uses it, as a browser at this origin would. */
export class Authenticator {
  readonly #origin: string;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(16).toString('base64url');
  /** The signature counter that it reports. */
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  make({ challenge, rp }: PasskeyCreation) {
    const jwk = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Uint8Array>([
      [cose.COSEKEYS.kty, cose.COSEKTY.EC2],
      [cose.COSEKEYS.alg, cose.COSEALG.ES256],
      [cose.COSEKEYS.crv, cose.COSECRV.P256],
      [cose.COSEKEYS.x, bytes(Buffer.from(jwk.x ?? '', 'base64url'))],
      [cose.COSEKEYS.y, bytes(Buffer.from(jwk.y ?? '', 'base64url'))],
    ]);
    const id = Buffer.from(this.#id, 'base64url');
    const data = Buffer.concat([
      this.#data(rp.id, PRESENT | VERIFIED | HAS_KEY),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      isoCBOR.encode(key as never),
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', bytes(data)],
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  show({ challenge, rpId }: PasskeyRequest) {
    const data = this.#data(rpId, PRESENT | VERIFIED);
    const clientData = this.#clientData('webauthn.get', challenge);
    const hash = createHash('sha256').update(Buffer.from(clientData, 'base64url')).digest();
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientData,
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, hash]), this.#keys.privateKey).toString('base64url'),
      },
    };
  }

  #named() {
    return { id: this.#id, rawId: this.#id, type: 'public-key', clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin })).toString('base64url');
  }

  #data(rpId: string, flags: number): Buffer {
    const rest = Buffer.alloc(5);
    rest[0] = flags;
    rest.writeUInt32BE(this.counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
  }
}

/** A copy with its own memory, as the encoder needs it. */
function bytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer);
}
