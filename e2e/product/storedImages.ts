import { AwsClient } from 'aws4fetch';
import { inDatabase } from './database.ts';

export type StoredImage = {
  conversationId: string;
  path: string;
  stagedPath: string;
  state: string;
  fileName: string;
  fromOwner: boolean;
  /** How many messages contain it. */
  messages: number;
};

/** Every image in the database, sent or not. */
export async function storedImages(databaseUrl?: string): Promise<StoredImage[]> {
  const { rows } = await inDatabase<StoredImage>(
    `select f.conversation_id as "conversationId", f.path, f.staged_path as "stagedPath", f.state,
       f.file_name as "fileName", f.from_owner as "fromOwner",
       (select count(*)::int from messages m where m.media_id = f.id) as messages
     from media f order by f.created_at`,
    [],
    databaseUrl,
  );
  return rows;
}

/** The paths of all objects in the bucket with this prefix, read from the S3 server itself. */
export async function storedObjects(prefix: string): Promise<string[]> {
  const url = new URL(`${process.env.S3_ENDPOINT}/${process.env.S3_BUCKET}`);
  url.searchParams.set('list-type', '2');
  url.searchParams.set('prefix', prefix);
  const response = await s3().fetch(url);
  if (!response.ok) throw new Error(`the S3 server answered ${response.status}`);
  return [...(await response.text()).matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
}

export async function storedBytes(path: string): Promise<Buffer> {
  const response = await s3().fetch(`${process.env.S3_ENDPOINT}/${process.env.S3_BUCKET}/${path}`);
  if (!response.ok) throw new Error(`the S3 server answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

function s3(): AwsClient {
  const { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env;
  return new AwsClient({ accessKeyId, secretAccessKey, region: process.env.S3_REGION ?? '', service: 's3' });
}
