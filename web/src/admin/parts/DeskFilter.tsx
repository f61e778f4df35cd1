import { useScope } from '../profiles/useProfiles.ts';
import { useDesks, useDeskText, useProfileOf } from '../useDesks.tsx';
import { ToolbarSelect } from './ListTools.tsx';

type DeskFilterProps = {
  label: string;
  /** The option for all desks. */
  all: string;
  /** Empty for all desks. */
  alias: string;
  onChange: (alias: string) => void;
};

/** The desk in a list's toolbar. A desk in the address may have no staff left and still have rows. */
export function DeskFilter({ label, all, alias, onChange }: DeskFilterProps) {
  const text = useDeskText();
  const profileOf = useProfileOf();
  const { profile } = useScope();
  const aliases = useDesks()
    .map((desk) => desk.alias)
    .filter((each) => profile === undefined || profileOf(each)?.slug === profile);
  const known = alias === '' || aliases.includes(alias) ? aliases : [alias, ...aliases];
  return (
    <ToolbarSelect
      label={label}
      value={alias}
      options={[{ value: '', text: all }, ...known.map((value) => ({ value, text: text(value) }))]}
      onChange={onChange}
    />
  );
}
