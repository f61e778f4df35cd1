// Loaded into a gateway before the product: its clock is ahead by CLOCK_AHEAD_MS.
const AHEAD_MS = Number(process.env.CLOCK_AHEAD_MS);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct(target, args: unknown[], newTarget): object {
    const given = args.length === 0 ? [RealDate.now() + AHEAD_MS] : args;
    return Reflect.construct(target, given, newTarget) as object;
  },
  get(target, key): unknown {
    return key === 'now' ? () => RealDate.now() + AHEAD_MS : Reflect.get(target, key);
  },
});
