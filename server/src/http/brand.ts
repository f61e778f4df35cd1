import type { App } from '../app.ts';
import { readBrand } from '../db/profile/brand.ts';
import { isAnyoneOnline } from '../db/staff/presence.ts';
import type { Routes } from './route.ts';

export function brandRoutes(app: App): Pick<Routes, 'readBrand'> {
  return {
    async readBrand() {
      const [brand, online] = await Promise.all([readBrand(app.db), isAnyoneOnline(app.db)]);
      return { success: true, brand, online };
    },
  };
}
