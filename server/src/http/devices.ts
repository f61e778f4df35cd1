import type { deviceCalls } from '@settee/protocol/calls/deviceCalls';
import { accessToDevices, removeDevice } from '../actions/conversation/removeDevice.ts';
import type { App } from '../app.ts';
import { deviceIdOf } from '../auth/deviceId.ts';
import { readDevices } from '../db/conversation/devices.ts';
import { conversationIdOf } from './conversations.ts';
import type { Routes } from './route.ts';

export function deviceRoutes(app: App): Pick<Routes, keyof typeof deviceCalls> {
  return {
    async readDevices({ caller, params }) {
      const { conversation } = await accessToDevices(app, caller, conversationIdOf(params));
      const rows = await readDevices(app.db.sql, conversation.id);
      const devices = rows.map(({ visitorId, ...row }) => ({
        ...row,
        id: deviceIdOf(app, conversation.id, visitorId),
        current: caller.kind === 'visitor' && caller.visitorId === visitorId,
      }));
      return { success: true, devices };
    },
    async removeDevice({ caller, params }) {
      const { deviceId = '' } = params;
      await removeDevice(app, caller, { conversationId: conversationIdOf(params), deviceId });
      return { success: true };
    },
  };
}
