import type { profileCalls } from '@settee/protocol/calls/profileCalls';
import { setAvatar } from '../actions/profile/setAvatar.ts';
import { setBrand } from '../actions/profile/setBrand.ts';
import type { App } from '../app.ts';
import { readProfile } from '../db/profile/brand.ts';
import type { Routes } from './route.ts';

export function profileRoutes(app: App): Pick<Routes, keyof typeof profileCalls> {
  return {
    async readProfileSettings() {
      return { success: true, ...(await readProfile(app.db)) };
    },
    async saveProfileSettings({ caller, body }) {
      return { success: true, ...(await setBrand(app, body, caller.staffId)) };
    },
    async setAvatar({ caller, body }) {
      return { success: true, ...(await setAvatar(app, body, caller.staffId)) };
    },
    async removeAvatar({ caller }) {
      return { success: true, ...(await setAvatar(app, undefined, caller.staffId)) };
    },
  };
}
