import * as v from 'valibot';
import { Time } from '../model/ids.ts';
import { call, none, success } from './call.ts';

/** A browser that has a place in a conversation. */
export const Device = v.object({
  id: v.string(),
  /** Such as 'Firefox on Android'; empty when it is not known. */
  browser: v.string(),
  joinedAt: Time,
  /** The device that started the chat. Only it lets in others. */
  first: v.boolean(),
  /** The device that asks. */
  current: v.boolean(),
});
export type Device = v.InferOutput<typeof Device>;

/** For the first device and for staff at the conversation's desk. */
export const deviceCalls = {
  readDevices: call({
    method: 'GET',
    path: '/conversations/:id/devices',
    auth: 'any',
    body: none,
    query: none,
    answer: v.object({ success, devices: v.array(Device) }),
  }),
  /** Signs the device out at once. The first device cannot remove itself. */
  removeDevice: call({
    method: 'DELETE',
    path: '/conversations/:id/devices/:deviceId',
    auth: 'any',
    body: none,
    query: none,
    answer: v.object({ success }),
  }),
} as const;
