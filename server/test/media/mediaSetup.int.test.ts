import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { AwsClient } from 'aws4fetch';
import { afterAll, expect, test } from 'vitest';
import { s3Media } from '../../src/media/s3Media.adapter.ts';
import { setUpBucket } from '../../src/media/s3Setup.adapter.ts';
import { systemClock } from '../../src/platform/adapters/system.ts';
import { s3Environment, settee } from '../support/operatorWorld.ts';
import { PNG, png } from '../support/pictures.ts';
import { testS3 } from '../support/testMedia.ts';

const OURS = 'https://chat.example';

// A new bucket: its setup must not affect other tests. It does not exist yet.
const s3 = { ...testS3(), bucket: `setup-${randomUUID()}` };
const client = new AwsClient({ ...s3, service: 's3' });
afterAll(async () => {
  await client.fetch(`${s3.endpoint}/${s3.bucket}`, { method: 'DELETE' });
});

function setUp(changes: Record<string, string> = {}) {
  return settee(['media', 'setup'], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    SECRET: 'a secret for tests, long enough to pass',
    PUBLIC_URL: OURS,
    ...s3Environment(s3),
    ...changes,
  });
}

/** A browser's preflight request before an upload, and the answer. */
async function preflight(origin: string, method: string): Promise<string[]> {
  const { headers } = await fetch(`${s3.endpoint}/${s3.bucket}/uploads/x`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type',
    },
  });
  return ['origin', 'methods'].map((name) => headers.get(`access-control-allow-${name}`) ?? '');
}

test(' `media setup` creates a missing bucket, or says why it cannot', async () => {
  expect((await client.fetch(`${s3.endpoint}/${s3.bucket}`, { method: 'HEAD' })).status).toBe(404);
  expect(await setUp()).toMatchObject({ code: 0, err: '' });
  expect((await client.fetch(`${s3.endpoint}/${s3.bucket}`, { method: 'HEAD' })).status).toBe(200);
  const impossible = await setUp({ S3_BUCKET: 'No_Bucket' });
  expect(impossible).toMatchObject({
    code: 1,
    err: expect.stringMatching(/There is no bucket No_Bucket, and .* answered 400 InvalidBucketName/),
  });
});

test('a bucket is created in S3_REGION: AWS requires it, except in its first region', async () => {
  const elsewhere = { ...s3, region: 'eu-central-1', bucket: `setup-${randomUUID()}` };
  expect(await setUpBucket(elsewhere, OURS)).toContain('may send and show images');
  await client.fetch(`${s3.endpoint}/${elsewhere.bucket}`, { method: 'DELETE' });

  // The bytes sent to AWS: the local S3 server accepts both forms.
  const made: string[] = [];
  const empty = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'PUT' && request.url === '/new') made.push(body);
      response.statusCode = request.method === 'HEAD' || made.length === 0 ? 404 : 200;
      response.end('<Code>NoSuchBucket</Code>');
    });
  });
  await once(empty.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(empty.address() as AddressInfo).port}`;
  const at = { ...s3, endpoint, publicEndpoint: 'http://127.0.0.1:1', bucket: 'new' };
  for (const [region, place] of [
    ['us-east-1', ''],
    ['eu-central-1', '<LocationConstraint>eu-central-1</LocationConstraint>'],
  ] as const) {
    made.length = 0;
    await setUpBucket({ ...at, region }, OURS);
    expect(made.map((body) => body.replace(/<\/?CreateBucketConfiguration[^>]*>/g, ''))).toEqual([place]);
  }
  empty.close();
});

test('[MEDIA-01] `media setup` lets only pages from our address use the bucket; a second run changes nothing', async () => {
  for (const _ of ['first', 'again']) {
    expect(await setUpBucket(s3, OURS)).toContain('may send and show images');
    expect(await preflight(OURS, 'PUT')).toEqual([OURS, expect.stringContaining('PUT')]);
    expect((await preflight('https://evil.example', 'PUT'))[0]).toBe('');
    expect((await preflight(OURS, 'DELETE'))[1]).not.toContain('DELETE');
  }
  const rules = await (await client.fetch(`${s3.endpoint}/${s3.bucket}?cors`)).text();
  expect(rules.match(/<CORSRule>/g)).toHaveLength(1);

  // A page can then upload to a signed URL and read the response.
  const store = s3Media(s3, systemClock);
  const image = (await png()) as Buffer<ArrayBuffer>;
  const address = await store.signUpload('uploads/one', { type: PNG, bytes: image.length, seconds: 60 });
  const headers = { origin: OURS, 'content-type': PNG };
  const answer = await fetch(address, { method: 'PUT', body: image, headers });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, OURS]);
  await store.remove('uploads/one');
});

test('[MEDIA-01] `media setup` says what is wrong', async () => {
  const wrong = await setUp({ S3_SECRET_ACCESS_KEY: 'not this one' });
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('answered 403 SignatureDoesNotMatch')]);
  expect(wrong.err).not.toContain('not this one');
});
