import * as v from 'valibot';
import { Line } from './line.ts';

/** Requests to the browser's authenticator and its answers, in the JSON format of WebAuthn. */

const Base64Url = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]*$/), v.maxLength(16_384));
const Strings = v.array(v.pipe(Line, v.maxLength(64)));
const Credential = v.object({
  id: Base64Url,
  type: v.literal('public-key'),
  transports: v.optional(Strings),
});

/** Options to sign in with a passkey. */
export const PasskeyRequest = v.object({
  challenge: Base64Url,
  rpId: v.string(),
  timeout: v.number(),
  userVerification: v.literal('preferred'),
  allowCredentials: v.array(Credential),
});
export type PasskeyRequest = v.InferOutput<typeof PasskeyRequest>;

/** Options to create a passkey. */
export const PasskeyCreation = v.object({
  challenge: Base64Url,
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: Base64Url, name: v.string(), displayName: v.string() }),
  pubKeyCredParams: v.array(v.object({ alg: v.number(), type: v.literal('public-key') })),
  timeout: v.number(),
  attestation: v.literal('none'),
  excludeCredentials: v.array(Credential),
  authenticatorSelection: v.object({
    residentKey: v.literal('preferred'),
    userVerification: v.literal('preferred'),
  }),
});
export type PasskeyCreation = v.InferOutput<typeof PasskeyCreation>;

const answered = {
  id: Base64Url,
  rawId: Base64Url,
  type: v.literal('public-key'),
  authenticatorAttachment: v.optional(v.nullable(v.picklist(['platform', 'cross-platform']))),
  clientExtensionResults: v.record(v.string(), v.unknown()),
};

/** The answer of an existing passkey. */
export const ShownPasskey = v.strictObject({
  ...answered,
  response: v.strictObject({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: v.optional(v.nullable(Base64Url)),
  }),
});
export type ShownPasskey = v.InferOutput<typeof ShownPasskey>;

/** A new passkey. The server relies only on the attestation object; browsers send the other fields too. */
export const MadePasskey = v.strictObject({
  ...answered,
  response: v.strictObject({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    authenticatorData: v.optional(Base64Url),
    transports: v.optional(Strings),
    publicKeyAlgorithm: v.optional(v.number()),
    publicKey: v.optional(Base64Url),
  }),
});
export type MadePasskey = v.InferOutput<typeof MadePasskey>;
