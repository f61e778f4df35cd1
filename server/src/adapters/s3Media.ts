import { createHash } from 'node:crypto';
import { AwsClient, AwsV4Signer } from 'aws4fetch';
import type { S3Config } from '../config.ts';
import type { Clock, MediaStore } from '../ports.ts';
import { mediaKey } from './mediaKey.ts';

const SERVICE = 's3';
const RETRIES = 3;
const TIMEOUT_MS = 30_000;

/** Any S3 API, with the bucket in the path: names of hosts need not be set up for it. */
export function s3Media(config: S3Config, clock: Clock): MediaStore {
  const { accessKeyId, secretAccessKey, region } = config;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: SERVICE, retries: RETRIES });
  const bucket = `${config.endpoint.replace(/\/+$/, '')}/${config.bucket}`;
  const urlOf = (path: string): URL => new URL(`${bucket}/${mediaKey(path)}`);

  const call = async (
    path: string,
    init: RequestInit & { method: string },
  ): Promise<Response | undefined> => {
    const response = await client.fetch(urlOf(path), { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    // Read to the end, or the connection is not used again.
    await response.arrayBuffer();
    if (response.ok) return response;
    if (response.status === 404) return undefined;
    throw new Error(`the media store answered ${response.status} to ${init.method}`);
  };

  const sign = async (method: string, url: URL, seconds: number, headers: Record<string, string>) => {
    url.searchParams.set('X-Amz-Expires', String(seconds));
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers,
      // Type and length too: the sender must then send exactly these.
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
      sign('PUT', urlOf(path), seconds, { 'content-type': type, 'content-length': String(bytes) }),

    async signDownload(path, seconds) {
      const url = urlOf(path);
      // What a stranger uploaded is shown inside our pages, never as a page.
      url.searchParams.set('response-content-disposition', 'attachment');
      return sign('GET', url, seconds, {});
    },

    async put(path, body, type) {
      const hash = createHash('sha256').update(body).digest('hex');
      const stored = await call(path, {
        method: 'PUT',
        body: body as Uint8Array<ArrayBuffer>,
        headers: { 'content-type': type, 'x-amz-content-sha256': hash },
      });
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
  };
}

/** 20260102T030405Z */
function amzDate(ms: number): string {
  return new Date(ms).toISOString().replace(/[:-]|\.\d{3}/g, '');
}
