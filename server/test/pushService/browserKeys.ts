import { createDecipheriv, createECDH, createHmac, randomBytes } from 'node:crypto';

const CURVE = 'prime256v1';
const SALT = 16;
const RECORD_SIZE = 4;
const POINT = 65;
const TAG = 16;

/** The keys of one browser subscription, and how it decrypts a payload: RFC 8291 and 8188, by hand. */
export class BrowserKeys {
  readonly #ecdh = createECDH(CURVE);
  readonly #auth = randomBytes(16);

  constructor() {
    this.#ecdh.generateKeys();
  }

  get p256dh(): string {
    return this.#ecdh.getPublicKey('base64url');
  }

  get auth(): string {
    return this.#auth.toString('base64url');
  }

  /** Throws for anything that is not exactly one correctly padded record. */
  open(body: Buffer): string {
    const salt = body.subarray(0, SALT);
    const recordSize = body.readUInt32BE(SALT);
    const idLength = body.readUInt8(SALT + RECORD_SIZE);
    if (idLength !== POINT) throw new Error('the key id is no P-256 point');
    const headerLength = SALT + RECORD_SIZE + 1 + idLength;
    const sender = body.subarray(SALT + RECORD_SIZE + 1, headerLength);
    const record = body.subarray(headerLength);
    if (record.length > recordSize) throw new Error('more than one record');

    const shared = this.#ecdh.computeSecret(sender);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#ecdh.getPublicKey(), sender]);
    const inputKey = expand(hmac(this.#auth, shared), info, 32);
    const random = hmac(salt, inputKey);
    const key = expand(random, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = expand(random, Buffer.from('Content-Encoding: nonce\0'), 12);

    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(record.subarray(-TAG));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG)), decipher.final()]);
    const end = padded.findLastIndex((byte) => byte !== 0);
    if (padded[end] !== 2) throw new Error('the last record does not end with 2');
    return padded.subarray(0, end).toString('utf8');
  }
}

function hmac(key: Uint8Array, data: Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

/** HKDF's second step; one block is enough here. */
function expand(key: Uint8Array, info: Uint8Array, length: number): Buffer {
  return hmac(key, Buffer.concat([info, Buffer.from([1])])).subarray(0, length);
}
