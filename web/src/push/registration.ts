import type { pushCalls } from '@settee/protocol/calls/pushCalls';
import { PUSH_RENEW_BEFORE_END_MS, PUSH_TIMEOUT_MS } from '@settee/protocol/model/push';
import type { Api, Result } from '../net/api.ts';
import type { Clock } from '../net/clock.ts';
import type { Device, DeviceSubscription } from './device.ts';
import { withTimeout } from './withTimeout.ts';

export type PushApi = Api<keyof typeof pushCalls>;

type Parts = { device: Device; api: PushApi; clock: Clock };

/** Requests to the browser's push service and to the server, each with the timeout of the specification (10 s). */
export function registration({ device, api, clock }: Parts) {
  const inTime = <T>(work: Promise<T>) => withTimeout(clock, PUSH_TIMEOUT_MS, work);
  let key: string | null | undefined;

  return {
    inTime,

    /** The installation's key: null if it sends no pushes, undefined if it could not be read. */
    async key(): Promise<string | null | undefined> {
      if (key !== undefined) return key;
      const read = await inTime(api('readPushKey', {})).catch(() => undefined);
      if (read?.ok) key = read.answer.publicKey;
      return key;
    },

    /** The last result of `key`. */
    knownKey: () => key,

    /** Reuses a valid subscription. Null if the browser returns none in time. */
    async subscribe(key: string): Promise<DeviceSubscription | null> {
      try {
        const there = await inTime(device.subscription());
        if (there && canStay(there, key, clock.now())) return there;
        // A push service allows one subscription per browser and refuses a second one with another key.
        if (there) await inTime(there.unsubscribe());
        return await inTime(device.subscribe(key));
      } catch (error) {
        console.error('subscribe:', error);
        return null;
      }
    },

    save(
      subscription: DeviceSubscription,
      before: string | undefined,
    ): Promise<Result<'savePush'> | undefined> {
      const { endpoint, p256dh, auth } = subscription;
      const instead = before !== undefined && before !== endpoint && { instead: before };
      const saving = api('savePush', { body: { endpoint, p256dh, auth, ...instead } });
      return inTime(saving).catch(() => undefined);
    },

    async drop(endpoint: string): Promise<boolean> {
      const dropped = await inTime(api('dropPush', { body: { endpoint } })).catch(() => undefined);
      return dropped?.ok ?? false;
    },

    async test(endpoint: string | undefined): Promise<Result<'testPush'> | undefined> {
      if (endpoint === undefined) return undefined;
      return inTime(api('testPush', { body: { endpoint } })).catch(() => undefined);
    },

    /** The server no longer uses the subscription, so a failure in the browser has no effect. */
    async unsubscribe(): Promise<void> {
      await inTime(device.subscription().then((there) => there?.unsubscribe())).catch((error: unknown) =>
        console.error('unsubscribe:', error),
      );
    },
  };
}

function canStay({ expiresAt, key: made }: DeviceSubscription, key: string, now: number): boolean {
  const ends = expiresAt !== null && expiresAt - now <= PUSH_RENEW_BEFORE_END_MS;
  return !ends && (made === null || made === key);
}
