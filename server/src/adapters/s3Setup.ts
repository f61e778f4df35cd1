import { createHash, randomUUID } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { S3Config } from '../config/config.ts';

const ANSWER_MS = 10_000;
const KEPT_SECONDS = 3_600;
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/**
 * Lets pages from this origin put and get what a signed address names: browsers ask the bucket's CORS rules, which this
 * replaces. A bucket that is not there yet is made. Then asks as a browser would, and whether the key has the right that is most often missing. Answers a sentence for whoever set it up; throws one when it did not work.
 */
export async function setUpBucket(config: S3Config, origin: string): Promise<string> {
  const known = await setRules(config, origin);
  await seeMissing(config);
  const { endpoint, publicEndpoint, bucket } = config;
  const where = `the bucket ${bucket} at ${publicEndpoint}`;
  const asked = await preflight(config, origin);
  if (asked === 'allowed') return `Pages from ${origin} may send and show images in ${where}.`;
  const said = known ? 'The rules are set' : `${endpoint} knows no rules per bucket`;
  if (asked === 'unreachable') {
    if (!known) throw new Error(`${said}, and ${publicEndpoint} cannot be reached from here.`);
    return `${said}, but ${publicEndpoint} cannot be reached from here, so they could not be tried.`;
  }
  throw new Error(`${said}, but pages from ${origin} may not send images to ${where}.`);
}

/** False where the store has no such thing: its rules are then part of its own configuration. */
async function setRules(config: S3Config, origin: string, made = false): Promise<boolean> {
  const { endpoint, bucket } = config;
  const body = rules(origin);
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
  if (code === 'NoSuchBucket' && !made) {
    await makeBucket(config);
    return setRules(config, origin, true);
  }
  throw new Error(`${endpoint} answered ${response.status} ${code} to the rules for ${bucket}.`);
}

async function makeBucket(config: S3Config): Promise<void> {
  const { endpoint, bucket } = config;
  const response = await clientOf(config).fetch(`${withoutSlash(endpoint)}/${bucket}`, {
    method: 'PUT',
    ...placed(config.region),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = await response.text();
  if (!response.ok)
    throw new Error(
      `There is no bucket ${bucket}, and ${endpoint} answered ${response.status} ${codeIn(answer)} when it was to be made.`,
    );
}

/** AWS wants the region said, except in the one that it began with, whose name it refuses. */
function placed(region: string): Pick<RequestInit, 'body'> {
  if (region === 'us-east-1') return {};
  return {
    body: `<CreateBucketConfiguration xmlns="${NAMESPACE}"><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`,
  };
}

function codeIn(answer: string): string {
  return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(answer)?.[1] ?? '';
}

/** An upload is asked for before it is there. To a key that may not list, S3 does not admit that something is missing. */
export async function seeMissing(config: S3Config): Promise<void> {
  const { endpoint, bucket } = config;
  const { status } = await clientOf(config).fetch(
    `${withoutSlash(endpoint)}/${bucket}/uploads/${randomUUID()}`,
    { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_MS) },
  );
  if (status === 404) return;
  const why = status === 403 ? ' The access key needs the right to list the bucket (s3:ListBucket).' : '';
  throw new Error(`${endpoint} answered ${status}, not 404, for an object that is not in ${bucket}.${why}`);
}

function clientOf({ accessKeyId, secretAccessKey, region }: S3Config): AwsClient {
  return new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 });
}

/** An origin has no character that XML would read otherwise. */
function rules(origin: string): string {
  const rule = [
    `<AllowedOrigin>${origin}</AllowedOrigin>`,
    '<AllowedMethod>PUT</AllowedMethod>',
    '<AllowedMethod>GET</AllowedMethod>',
    '<AllowedHeader>content-type</AllowedHeader>',
    `<MaxAgeSeconds>${KEPT_SECONDS}</MaxAgeSeconds>`,
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
      const words = (headers.get(`access-control-allow-${name}`) ?? '').toLowerCase().split(/,\s*/);
      return words.includes('*') || words.includes(wanted);
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
