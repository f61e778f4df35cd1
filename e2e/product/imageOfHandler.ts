import { randomUUID } from 'node:crypto';
import type { Handler } from './accounts.ts';
import { conversationOf } from './database.ts';
import type { PickedFile } from './pictures.ts';

type Answer = { idToken: string; uploadUrl: string; state: string };

/** Sends an image from staff as the console does, without opening a console. */
export async function sendImageAs(handler: Handler, invite: string, file: PickedFile): Promise<void> {
  const id = await conversationOf(invite);
  const { email, password } = handler;
  const { idToken } = await call('POST', '/auth/staff/sign-in', undefined, { email, password });
  const mediaId = randomUUID();
  const type = file.mimeType;
  const begun = { mediaId, type, bytes: file.buffer.length, fileName: file.name };
  const { uploadUrl } = await call('POST', `/conversations/${id}/media`, idToken, begun);
  const put = await fetch(new URL(uploadUrl, process.env.PUBLIC_URL), {
    method: 'PUT',
    headers: { 'content-type': type },
    body: new Uint8Array(file.buffer),
  });
  if (!put.ok) throw new Error(`the store answered ${put.status}`);
  for (let state = 'working'; state !== 'ready'; ) {
    ({ state } = await call('POST', `/conversations/${id}/media/${mediaId}/uploaded`, idToken));
    if (state === 'refused') throw new Error('the image was refused');
  }
  await call('POST', `/conversations/${id}/media/${mediaId}/message`, idToken, { id: randomUUID() });
}

async function call(method: string, path: string, token?: string, body?: object): Promise<Answer> {
  const origin = process.env.PUBLIC_URL ?? '';
  const response = await fetch(origin + path, {
    method,
    headers: {
      origin,
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer}`);
  return JSON.parse(answer) as Answer;
}
