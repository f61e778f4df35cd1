import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import * as v from 'valibot';
import type { App } from '../../platform/app.ts';
import { decrypt, encrypt } from '../../platform/auth/encryption.ts';
import type { SingleSignOn } from '../../platform/config/config.ts';
import { keyFor, keysFor } from '../../platform/config/keys.ts';

type Deps = Pick<App, 'config' | 'clock' | 'random'>;

export const CALLBACK_PATH = '/auth/staff/sso/callback';
const SCOPE = 'openid email profile';
const OWNER = 'single sign-on';
const TIMEOUT_SECONDS = 10;
/** How long what the provider says about itself counts for new attempts. */
const DISCOVERED_MS = 5 * 60_000;
export const ATTEMPT_SECONDS = 10 * 60;
/** The provider's clock may be behind by this much. */
const CLOCK_SECONDS = 60;

/** What the browser keeps, encrypted, while the person is at the provider. */
const Attempt = v.object({
  id: v.string(),
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  next: v.string(),
  /** The provider shall ask, even if it knows the person. */
  again: v.optional(v.boolean(), false),
  /** The hash of the browser's session secret. On the way back, the browser does not send that cookie. */
  replaces: v.optional(v.string()),
  expiresAt: v.number(),
});
export type Attempt = v.InferOutput<typeof Attempt>;

const Claims = v.object({
  email: v.string(),
  /** Some providers send a string, which we do not accept. */
  email_verified: v.optional(v.unknown()),
  amr: v.optional(v.array(v.string()), []),
  auth_time: v.optional(v.number()),
});

export type Identity = {
  email: string;
  emailVerified: boolean;
  /** The provider checked more than a password. */
  multiFactor: boolean;
  /** The provider asked the person during this attempt, because we wanted it; undefined if it does not say. */
  asked: boolean | undefined;
  /** The values of OIDC_ROLE_CLAIM; undefined if roles do not come from the provider. */
  roles: string[] | undefined;
};

/** Where to send the browser, and what it has to keep. `again`: the provider shall ask, even if it knows the person. */
export async function beginAttempt(
  app: Deps,
  settings: SingleSignOn,
  { next, replaces, again }: { next: string; replaces: Buffer | undefined; again: boolean },
): Promise<{ url: string; kept: string }> {
  const attempt: Attempt = {
    id: app.random.uuid(),
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    next,
    again,
    replaces: replaces?.toString('base64url'),
    expiresAt: app.clock.now() + ATTEMPT_SECONDS * 1_000,
  };
  const url = buildAuthorizationUrl(await discoverOnce(app, settings), {
    redirect_uri: app.config.publicUrl + CALLBACK_PATH,
    scope: SCOPE,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
    ...(again && { prompt: 'login', max_age: '0' }),
  });
  const key = keyFor(app.config, 'single sign-on');
  const kept = encrypt(app, key, OWNER, JSON.stringify(attempt)).toString('base64url');
  return { url: url.href, kept };
}

/** Undefined unless we encrypted it and it has not expired. */
export function readAttempt(app: Deps, kept: string): Attempt | undefined {
  const text = decrypt(keysFor(app.config, 'single sign-on'), OWNER, Buffer.from(kept, 'base64url'));
  if (text === undefined) return undefined;
  const attempt = v.parse(Attempt, JSON.parse(text));
  return attempt.expiresAt > app.clock.now() ? attempt : undefined;
}

/**
 * Exchanges the code and verifies the ID token: signature, issuer, audience, time, nonce. Reads the provider's keys
 * each time, so that it may replace them at any moment. Throws if anything is wrong.
 */
export async function verifyCallback(
  app: Deps,
  settings: SingleSignOn,
  attempt: Attempt,
  path: string,
): Promise<Identity> {
  const provider = await discover(settings);
  const tokens = await authorizationCodeGrant(provider, new URL(path, app.config.publicUrl), {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.verifier,
    idTokenExpected: true,
  });
  const idToken = tokens.claims();
  if (idToken === undefined) throw new Error('the provider sent no ID token');
  // Many providers put the address only there.
  const info =
    idToken.email === undefined ? await fetchUserInfo(provider, tokens.access_token, idToken.sub) : {};
  const claims: Record<string, unknown> = { ...info, ...idToken };
  const { email, email_verified: verified, amr, auth_time: askedAt } = v.parse(Claims, claims);
  return {
    email,
    emailVerified: verified === true,
    multiFactor: amr.includes('mfa'),
    asked: wasAsked(attempt, askedAt),
    roles: settings.roleClaim === undefined ? undefined : valuesOf(claims[settings.roleClaim]),
  };
}

function wasAsked({ again, expiresAt }: Attempt, askedAt: number | undefined): boolean | undefined {
  if (!again) return false;
  if (askedAt === undefined) return undefined;
  const begunAt = expiresAt / 1_000 - ATTEMPT_SECONDS;
  return askedAt >= begunAt - CLOCK_SECONDS;
}

const discovered = new WeakMap<SingleSignOn, { provider: Promise<Configuration>; until: number }>();

/** For new attempts, which anyone can begin. Not for callbacks, because a configuration keeps the provider's keys. */
function discoverOnce(app: Deps, settings: SingleSignOn): Promise<Configuration> {
  const now = app.clock.now();
  const known = discovered.get(settings);
  if (known !== undefined && now < known.until) return known.provider;
  const provider = discover(settings);
  discovered.set(settings, { provider, until: now + DISCOVERED_MS });
  // The next attempt asks again.
  provider.catch(() => discovered.delete(settings));
  return provider;
}

/** Reads the discovery document. Throws if it names another issuer. */
export function discover({ issuer, clientId, clientSecret }: SingleSignOn): Promise<Configuration> {
  const url = new URL(issuer);
  // The settings allow http for the own machine only.
  const insecure = url.protocol === 'http:' ? [allowInsecureRequests] : [];
  return discovery(url, clientId, clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: [enableNonRepudiationChecks, ...insecure],
  });
}

function valuesOf(claim: unknown): string[] {
  return [claim].flat().filter((value) => typeof value === 'string');
}
