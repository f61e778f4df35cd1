import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export const CLIENT = { clientId: 'settee', clientSecret: 'a secret for the tests of single sign-on' };

/** What the provider says about the person who signs in, and how a test damages its tokens. */
type Behaviour = {
  claims: Record<string, unknown>;
  /** Shows a page with a button. Otherwise it signs everyone in at once. */
  hasPage?: boolean;
  isDown?: boolean;
  /** Claims of the ID token, after the provider made it. The result is signed with the current key. */
  change?: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** Replaces the whole ID token. */
  replace?: ((idToken: string) => string | Promise<string>) | undefined;
};

export type TestProvider = {
  issuer: string;
  behaviour: Behaviour;
  /** How often its metadata was read. */
  discoveries(): number;
  /** Signs with a new key from now on. The old one is no longer published. */
  rotateKeys(): Promise<void>;
  stop(): Promise<void>;
};

const LOGIN_PAGE =
  '<!doctype html><title>Example Login</title><form method="post"><button>Continue as Ada</button></form>';

type Key = Awaited<ReturnType<typeof newKey>>;

async function newKey(kid: string) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' } as JWK };
}

/** A real OpenID Connect provider on loopback. With `at`, it has a certificate, and others reach it at this address. */
export async function startProvider(
  redirectUri: string,
  at?: { host: string; key: string; cert: string },
): Promise<TestProvider> {
  const behaviour: Behaviour = { claims: {} };
  let discoveries = 0;
  const listener: RequestListener = (request, response) => {
    if (request.url === '/.well-known/openid-configuration') discoveries += 1;
    if (behaviour.isDown) response.writeHead(503).end();
    else void handle(request, response);
  };
  const server = at === undefined ? createServer(listener) : createSecureServer(at, listener);
  // After a pause of the busy machine, a request must not meet a connection that is just being closed.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const origin = at === undefined ? 'http://127.0.0.1' : `https://${at.host}`;
  const issuer = `${origin}:${(server.address() as AddressInfo).port}`;
  let generation = 1;
  let key = await newKey('key-1');
  let handle = createProvider({ issuer, redirectUri, key, behaviour });
  return {
    issuer,
    behaviour,
    discoveries: () => discoveries,
    async rotateKeys() {
      key = await newKey(`key-${++generation}`);
      handle = createProvider({ issuer, redirectUri, key, behaviour });
    },
    stop: () => new Promise((stopped) => void server.close(() => stopped())),
  };
}

type Parts = { issuer: string; redirectUri: string; key: Key; behaviour: Behaviour };

function createProvider({ issuer, redirectUri, key, behaviour }: Parts) {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [key.jwk] },
    cookies: { keys: ['cookies of the test provider'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'roles'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/login/${interaction.uid}` },
    findAccount: async (_ctx, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...behaviour.claims }),
    }),
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      const grant = new provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    if (ctx.path.startsWith('/login/')) {
      if (behaviour.hasPage && ctx.method === 'GET') {
        ctx.type = 'html';
        ctx.body = LOGIN_PAGE;
        return;
      }
      await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: 'person-1' } });
      ctx.respond = false;
      return;
    }
    await next();
    const body = ctx.body as { id_token?: string } | undefined;
    if (ctx.path !== '/token' || body?.id_token === undefined) return;
    const { change, replace } = behaviour;
    let idToken = body.id_token;
    if (change !== undefined) {
      idToken = await new SignJWT(change(decodeJwt(idToken)))
        .setProtectedHeader({ alg: 'RS256', kid: key.jwk.kid ?? '' })
        .sign(key.privateKey);
    }
    ctx.body = { ...body, id_token: replace === undefined ? idToken : await replace(idToken) };
  });
  return provider.callback();
}
