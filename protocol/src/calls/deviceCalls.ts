import * as v from 'valibot';
import { Time } from '../model/ids.ts';
import { call } from './call.ts';

/** A browser that is attached to a conversation. */
export const Device = v.object({
  id: v.string(),
  /** For example 'Firefox on Android'; empty if unknown. */
  browser: v.string(),
  joinedAt: Time,
  /** The device that started the chat. Only this device can admit others. */
  first: v.boolean(),
  /** The device that makes this call. */
  current: v.boolean(),
});
export type Device = v.InferOutput<typeof Device>;

/** For the first device and for staff of the conversation's desk. */
export const deviceCalls = {
  readDevices: call({
    route: 'GET /conversations/:id/devices',
    summary: 'List the devices of a conversation. For its first device and for staff.',
    auth: 'any',
    answer: { devices: v.array(Device) },
  }),
  /** Signs the device out at once. The first device cannot remove itself. */
  removeDevice: call({
    route: 'DELETE /conversations/:id/devices/:deviceId',
    summary: 'Remove a device. It is signed out at once.',
    auth: 'any',
  }),
} as const;
