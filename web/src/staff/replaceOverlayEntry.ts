import type { DataRouter } from 'react-router';
import { takeOverlayEntry } from '../ui/useHistoryOverlay.ts';

/** Navigation from a dialog replaces the dialog's history entry. */
export function replaceOverlayEntry(router: DataRouter): DataRouter {
  const { navigate } = router;
  router.navigate = (to: unknown, options?: object) =>
    navigate(
      to as string,
      typeof to !== 'number' && takeOverlayEntry() ? { ...options, replace: true } : options,
    );
  return router;
}
