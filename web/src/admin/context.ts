import type { StaffClaims } from '@settee/protocol/model/staff';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { SessionStore } from '../staff/session.ts';
import type { LiveAdmin, LiveAdminState } from './liveAdmin.ts';

type Admin = { session: SessionStore; staff: StaffClaims; live: LiveAdmin };

export const AdminContext = createContext<Admin | null>(null);

export function useAdmin(): Admin {
  const admin = useContext(AdminContext);
  if (!admin) throw new Error('The admin area is used outside of a session');
  return admin;
}

export function useLiveAdmin(): LiveAdminState {
  const { live } = useAdmin();
  return useSyncExternalStore(live.subscribe, live.get);
}
