import { createHash, randomUUID } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { S3Config } from '../platform/config/config.ts';

const ANSWER_MS = 10_000;
const CORS_CACHE_SECONDS = 3_600;
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/**
 * Sets the bucket's CORS rules so that pages from this origin can use signed URLs. Creates a missing bucket. Then sends a
 * preflight request like a browser, and checks the permission that is most often missing. Returns a sentence for the
 * operator; throws one on failure.
 */
export async function setUpBucket(config: S3Config, origin: string): Promise<string> {
  const supported = await setRules(config, origin);
  await checkMissingObject(config);
  const { endpoint, publicEndpoint, bucket } = config;
  const where = `the bucket ${bucket} at ${publicEndpoint}`;
  const asked = await preflight(config, origin);
  if (asked === 'allowed') return `Pages from ${origin} may send and show images in ${where}.`;
  const rulesText = supported ? 'The rules are set' : `${endpoint} has no CORS rules per bucket`;
  if (asked === 'unreachable') {
    if (!supported) throw new Error(`${rulesText}, and ${publicEndpoint} cannot be reached from here.`);
    return `${rulesText}, but ${publicEndpoint} cannot be reached from here, so they could not be tested.`;
  }
  throw new Error(`${rulesText}, but pages from ${origin} may not send images to ${where}.`);
}

/** False when the store does not support this. Its own configuration then has the rules. */
async function setRules(config: S3Config, origin: string, created = false): Promise<boolean> {
  const { endpoint, bucket } = config;
  const body = corsRules(origin);
  const response = await clientOf(config).fetch(`${withoutSlash(endpoint)}/${bucket}?cors`, {
    method: 'PUT',
    body,
    headers: {
      'content-type': 'application/xml',
      'content-md5': createHash('md5').update(body).digest('base64'),
      'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
    },
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = await response.text();
  if (response.ok) return true;
  if (response.status === 501 || answer.includes('<Code>NotImplemented</Code>')) return false;
  const code = codeIn(answer);
  if (code === 'NoSuchBucket' && !created) {
    await createBucket(config);
    return setRules(config, origin, true);
  }
  throw new Error(`${endpoint} answered ${response.status} ${code} to the rules for ${bucket}.`);
}

async function createBucket(config: S3Config): Promise<void> {
  const { endpoint, bucket } = config;
  const response = await clientOf(config).fetch(`${withoutSlash(endpoint)}/${bucket}`, {
    method: 'PUT',
    ...location(config.region),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = await response.text();
  if (!response.ok)
    throw new Error(
      `There is no bucket ${bucket}, and ${endpoint} answered ${response.status} ${codeIn(answer)} to creating it.`,
    );
}

/** AWS requires the region, except for us-east-1, which it refuses. */
function location(region: string): Pick<RequestInit, 'body'> {
  if (region === 'us-east-1') return {};
  return {
    body: `<CreateBucketConfiguration xmlns="${NAMESPACE}"><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`,
  };
}

function codeIn(answer: string): string {
  return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(answer)?.[1] ?? '';
}

/** Uploads are looked up before they exist. Without the permission to list, S3 answers 403 instead of 404. */
export async function checkMissingObject(config: S3Config): Promise<void> {
  const { endpoint, bucket } = config;
  const { status } = await clientOf(config).fetch(
    `${withoutSlash(endpoint)}/${bucket}/uploads/${randomUUID()}`,
    { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_MS) },
  );
  if (status === 404) return;
  const why =
    status === 403 ? ' The access key needs the permission to list the bucket (s3:ListBucket).' : '';
  throw new Error(`${endpoint} answered ${status}, not 404, for an object that is not in ${bucket}.${why}`);
}

function clientOf({ accessKeyId, secretAccessKey, region }: S3Config): AwsClient {
  return new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 });
}

/** An origin needs no XML escaping. */
function corsRules(origin: string): string {
  const rule = [
    `<AllowedOrigin>${origin}</AllowedOrigin>`,
    '<AllowedMethod>PUT</AllowedMethod>',
    '<AllowedMethod>GET</AllowedMethod>',
    '<AllowedHeader>content-type</AllowedHeader>',
    `<MaxAgeSeconds>${CORS_CACHE_SECONDS}</MaxAgeSeconds>`,
  ];
  return `<CORSConfiguration xmlns="${NAMESPACE}"><CORSRule>${rule.join('')}</CORSRule></CORSConfiguration>`;
}

export async function preflight(
  { publicEndpoint, bucket }: S3Config,
  origin: string,
): Promise<'allowed' | 'refused' | 'unreachable'> {
  try {
    const { ok, headers } = await fetch(`${withoutSlash(publicEndpoint)}/${bucket}/uploads/any`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type',
      },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const allows = (name: string, wanted: string): boolean => {
      const values = (headers.get(`access-control-allow-${name}`) ?? '').toLowerCase().split(/,\s*/);
      return values.includes('*') || values.includes(wanted);
    };
    const allowed = allows('origin', origin) && allows('methods', 'put') && allows('headers', 'content-type');
    return ok && allowed ? 'allowed' : 'refused';
  } catch {
    return 'unreachable';
  }
}

export function withoutSlash(endpoint: string): string {
  return endpoint.replace(/\/+$/, '');
}
