import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDiskMedia } from '../../src/adapters/diskMedia.ts';
import { systemClock, systemRandom } from '../../src/adapters/system.ts';
import type { Config } from '../../src/config/config.ts';
import { mailSettings } from '../mailWorld.ts';
import { type PushWorld, startPushWorld } from '../pushWorld.ts';

/** Starts everything that the rules need, including images that a gateway serves itself and a push service. */
export async function startAccessWorld(config: Partial<Config> = {}): Promise<PushWorld> {
  const mediaRoot = mkdtempSync(join(tmpdir(), 'settee-media-'));
  const secret = 'a secret for tests, long enough to pass';
  const media = await openDiskMedia(
    { mediaRoot, publicUrl: 'http://settee.test', secret },
    { clock: systemClock, random: systemRandom },
  );
  const world = await startPushWorld({
    media,
    // Everyone needs a second factor, as the table in who.ts expects.
    config: {
      lookupsPerMinute: 10_000,
      codesPerHour: 10_000,
      secondFactor: 'everyone',
      // Nothing listens there: the answers are those of a failed sign-in.
      singleSignOn: { issuer: 'http://127.0.0.1:1', clientId: 'x', clientSecret: 'x', name: 'Example Login' },
      // Nothing listens there either: the jobs do not run.
      mail: mailSettings({ SMTP_URL: 'smtp://127.0.0.1:1' }),
      ...config,
    },
  });
  return {
    ...world,
    async stop() {
      await world.stop();
      rmSync(mediaRoot, { recursive: true });
    },
  };
}
