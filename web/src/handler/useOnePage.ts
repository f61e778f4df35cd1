import { useMediaQuery } from '../ui/useMediaQuery.ts';

/** Whether the window is too narrow for panes beside each other: the shell shows one page. */
export function useOnePage(): boolean {
  return useMediaQuery('(max-width: 899px)');
}
