import { createHash } from 'node:crypto';
import { AwsClient, AwsV4Signer } from 'aws4fetch';
import { publicBucketUrl, type S3Config } from '../platform/config/config.ts';
import type { Clock, MediaStore } from '../platform/ports/ports.ts';
import { downloadHeaders, mediaKey } from '../platform/ports/ports.ts';

const SERVICE = 's3';
const RETRIES = 3;
/** For a whole image, including retries. */
const TRANSFER_MS = 30_000;
/** For other requests. A person may be waiting, and jobs are retried. */
const ANSWER_MS = 5_000;

/** A redirect could lead a signed request anywhere. */
const DIRECT = { redirect: 'error' } as const;

/** Any S3 API, with the bucket in the path: virtual hosts would need DNS setup. */
export function s3Media(config: S3Config, clock: Clock): MediaStore {
  const { accessKeyId, secretAccessKey, region } = config;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: SERVICE, retries: RETRIES });
  const urlOf = (path: string): URL =>
    new URL(`${config.endpoint.replace(/\/+$/, '')}/${config.bucket}/${mediaKey(path)}`);
  /** For browsers. The signature includes the host. */
  const publicUrlOf = (path: string): URL => new URL(publicBucketUrl(config) + mediaKey(path));

  const call = async (
    path: string,
    init: RequestInit & { method: string },
    ms = ANSWER_MS,
  ): Promise<Response | undefined> => {
    const response = await client.fetch(urlOf(path), { ...init, ...DIRECT, signal: AbortSignal.timeout(ms) });
    // Otherwise the connection is not reused.
    await response.arrayBuffer();
    if (response.ok) return response;
    if (response.status === 404) return undefined;
    throw new Error(`the media store answered ${response.status} to ${init.method}`);
  };

  /** One page of keys. Neither keys nor tokens contain characters that XML escapes. */
  const list = async (path: string, from?: string): Promise<{ keys: string[]; next: string | undefined }> => {
    const url = new URL(`${config.endpoint.replace(/\/+$/, '')}/${config.bucket}`);
    url.searchParams.set('list-type', '2');
    url.searchParams.set('prefix', `${mediaKey(path)}/`);
    if (from !== undefined) url.searchParams.set('continuation-token', from);
    const response = await client.fetch(url, { ...DIRECT, signal: AbortSignal.timeout(ANSWER_MS) });
    const answer = await response.text();
    if (!response.ok) throw new Error(`the media store answered ${response.status} to a list`);
    return {
      keys: Array.from(answer.matchAll(/<Key>([^<]+)<\/Key>/g), ([, key = '']) => key),
      next: /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(answer)?.[1],
    };
  };

  const sign = async (method: string, url: URL, seconds: number, headers: Record<string, string>) => {
    url.searchParams.set('X-Amz-Expires', String(seconds));
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers,
      // Also type and length: the browser must then send exactly these.
      allHeaders: true,
      accessKeyId,
      secretAccessKey,
      region,
      service: SERVICE,
      datetime: amzDate(clock.now()),
      signQuery: true,
    });
    return (await signer.sign()).url.href;
  };

  return {
    signUpload: async (path, { type, bytes, seconds }) =>
      sign('PUT', publicUrlOf(path), seconds, { 'content-type': type, 'content-length': String(bytes) }),

    async signDownload(path, seconds) {
      const url = publicUrlOf(path);
      for (const [name, value] of Object.entries(downloadHeaders(path)))
        url.searchParams.set(`response-${name}`, value);
      return sign('GET', url, seconds, {});
    },

    async get(path, maxBytes) {
      const signal = AbortSignal.timeout(TRANSFER_MS);
      const response = await client.fetch(urlOf(path), { ...DIRECT, signal });
      if (response.ok) return readAtMost(response, maxBytes);
      await response.arrayBuffer();
      if (response.status === 404) return undefined;
      throw new Error(`the media store answered ${response.status} to GET`);
    },

    async put(path, body, type) {
      const hash = createHash('sha256').update(body).digest('hex');
      const stored = await call(
        path,
        {
          method: 'PUT',
          body: body as Uint8Array<ArrayBuffer>,
          headers: { 'content-type': type, 'x-amz-content-sha256': hash },
        },
        TRANSFER_MS,
      );
      if (stored === undefined) throw new Error('the media store has no such bucket');
    },

    async head(path) {
      const found = await call(path, { method: 'HEAD' });
      if (found === undefined) return undefined;
      const { headers } = found;
      return { bytes: Number(headers.get('content-length')), type: headers.get('content-type') ?? '' };
    },

    async remove(path) {
      await call(path, { method: 'DELETE' });
    },

    async removeAll(path) {
      for (let { keys } = await list(path); keys.length > 0; { keys } = await list(path)) {
        for (const key of keys) await call(key, { method: 'DELETE' });
      }
    },

    async *listAll(path) {
      let from: string | undefined;
      do {
        const { keys, next } = await list(path, from);
        yield* keys;
        from = next;
      } while (from !== undefined);
    },
  };
}

async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** 20260102T030405Z */
function amzDate(ms: number): string {
  return new Date(ms).toISOString().replace(/[:-]|\.\d{3}/g, '');
}
