/** Environment variable: the pages are already built. `npm run check` builds them once for all steps. */
export const BUILT = { SETTEE_BUILT: 'yes' };

export function wasBuilt(): boolean {
  return process.env.SETTEE_BUILT === BUILT.SETTEE_BUILT;
}
