import { Bell } from '../../push/Bell.tsx';
import { type Chat, useBackgroundNotices } from './useBackgroundNotices.ts';

export type VisitorBellProps = {
  visitorId?: string | undefined;
  /** The visitor is still being signed in. */
  loading?: boolean;
  /** The conversation whose messages it tells of. */
  chat?: Chat;
};

export function VisitorBell({ visitorId, loading = false, chat }: VisitorBellProps) {
  useBackgroundNotices(chat);
  return <Bell personId={visitorId} loading={loading} />;
}
