// Keeps images in a folder, with the code of the gateway. A virtual machine without KVM is too slow for a whole one.
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { openDiskMedia } from '../src/media/diskMedia.adapter.ts';
import { systemClock, systemRandom } from '../src/platform/adapters/system.ts';

const MAX_BYTES = 10_000_000;

const { MEDIA_ROOT: mediaRoot = '', PORT: port } = process.env;
const media = await openDiskMedia(
  { mediaRoot, publicUrl: 'http://images.test', secret: 'signs nothing here, but is long enough' },
  { clock: systemClock, random: systemRandom },
);

/** PUT stores an image, GET reads it. */
async function answer(request: IncomingMessage): Promise<[status: number, body: string | Uint8Array]> {
  const path = (request.url ?? '').slice(1);
  if (request.method === 'PUT') {
    await media.put(path, await buffer(request), 'image/png');
    return [200, ''];
  }
  const image = await media.get(path, MAX_BYTES);
  return image === undefined ? [404, ''] : [200, image];
}

createServer((request, response) => {
  answer(request).then(
    ([status, body]) => response.writeHead(status).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(port));
