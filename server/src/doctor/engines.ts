import { COMMAND, type Config, type S3Config } from '../platform/config/config.ts';
import type { S3Answer } from '../platform/ports/ports.ts';
import { type About, reason } from './finding.ts';

/** Probes of adapters. They are parameters, because only composition roots may import adapters. */
export type Probes = {
  nats(url: string, cell: string): Promise<{ version: string; ms: number }>;
  s3(s3: S3Config, origin: string): Promise<S3Answer>;
};

const NATS_MIN = [2, 15] as const;

export async function checkNats(
  about: About,
  { natsUrl, cell }: Config,
  probe: Probes['nats'],
): Promise<void> {
  if (natsUrl === undefined) return about.ok('not used: this must be the only gateway');
  // One address or a cluster; the first that answers is probed.
  const host = natsUrl
    .split(',')
    .map((url) => new URL(url.trim()).host)
    .join(' or ');
  try {
    const { version, ms } = await probe(natsUrl, cell);
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const [wantedMajor, wantedMinor] = NATS_MIN;
    if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor))
      about.warn(
        `${version} at ${host} is older than the tested version`,
        `Upgrade it to ${NATS_MIN.join('.')} or newer.`,
      );
    else about.ok(`${version} at ${host}; round trip ${ms.toFixed(1)} ms`);
  } catch (error) {
    about.fail(...explainNats(error, host));
  }
}

function explainNats(error: unknown, host: string): [string, string] {
  const why = `${reason(error)} ${(error as Error).name}`;
  if (/authoriz|permission/i.test(why))
    return [
      `${host} refuses the user, the password or the subject`,
      'Set the correct ones in NATS_URL, and allow that user to publish and subscribe to settee.>',
    ];
  return [
    `${host} does not answer (${reason(error)})`,
    'Check that nats-server is running and that NATS_URL is correct. Without NATS, messages reach other gateways late. Remove NATS_URL if there is only one gateway.',
  ];
}

const STEPS = {
  write: ['may not write', 'Give the key s3:PutObject, and check that S3_BUCKET exists.'],
  read: ['may not read', 'Give the key s3:GetObject.'],
  missing: ['cannot detect a missing object', 'Give the key s3:ListBucket.'],
  list: ['may not list, or not delete', 'Give the key s3:ListBucket and s3:DeleteObject.'],
  delete: ['may not delete', 'Give the key s3:DeleteObject.'],
} as const satisfies Record<NonNullable<S3Answer['failed']>['step'], readonly [string, string]>;

export async function checkS3(about: About, { s3, publicUrl }: Config, probe: Probes['s3']): Promise<void> {
  if (s3 === undefined) return;
  const where = `the bucket ${s3.bucket} at ${new URL(s3.endpoint).host}`;
  const answer = await probe(s3, publicUrl);
  if (answer.failed === undefined) about.ok(`the key may write, read, list and delete in ${where}`);
  else {
    const [says, remedy] = STEPS[answer.failed.step];
    about.fail(`the key ${says} in ${where} (${status(answer.failed.why)})`, remedy);
  }
  if (answer.public !== undefined)
    about.fail(
      `anybody can ${answer.public === 'list' ? 'list' : 'read'} ${where}`,
      'Make the bucket private: images are read through signed URLs only.',
    );
  if (answer.cors === 'allowed') about.ok(`browsers may upload images from ${publicUrl}`);
  else if (answer.cors === 'unreachable')
    about.warn(
      `${new URL(s3.publicEndpoint).host} cannot be reached from here, so browser access was not tested`,
      'Check that S3_PUBLIC_ENDPOINT is the address that browsers use for the S3 API.',
    );
  else
    about.fail(
      `browsers may not upload images from ${publicUrl}`,
      `Run ${COMMAND} media setup, which sets the CORS rules of the bucket.`,
    );
  if (publicUrl.startsWith('https:') && !s3.publicEndpoint.startsWith('https:'))
    about.fail(
      'browsers reach it over http from an https page',
      'Set S3_PUBLIC_ENDPOINT to an https address.',
    );
}

/** Our own errors contain the status; others only a code. */
function status(why: unknown): string {
  return /answered \d+[^.]*/.exec((why as Error).message)?.[0] ?? reason(why);
}
