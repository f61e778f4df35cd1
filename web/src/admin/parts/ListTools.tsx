import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { formatNumber } from '@settee/protocol/texts/fillText';
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { staffShapes } from '../../staff/shapes.ts';
import { Icon, Shape } from '../../ui/Icon.tsx';
import styles from './ListTools.module.css';
import { Radios } from './Segments.tsx';
import { Options } from './Select.tsx';

type SearchFieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string | undefined;
};

/** A list's search field. `/` focuses it; the button and Escape clear it. */
export function SearchField({ label, value, onChange, hint, ...rest }: SearchFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useSlash(field);
  return (
    <div className={styles.search}>
      <Shape paths={staffShapes.lens} size={17} />
      <input
        placeholder={label}
        {...rest}
        ref={field}
        type="search"
        autoComplete="off"
        aria-label={label}
        aria-describedby={hint ? id : undefined}
        aria-keyshortcuts="/"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {value === '' ? (
        <span className={`${styles.key} with-keyboard`} aria-hidden="true">
          /
        </span>
      ) : (
        <button
          type="button"
          className={`icon-button ${styles.clear}`}
          data-size="sm"
          aria-label={adminTexts.clearSearch}
          onClick={() => {
            onChange('');
            field.current?.focus();
          }}
        >
          <Icon name="x" size={15} />
        </button>
      )}
      {hint && (
        <p id={id} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

function useSlash(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const typing =
        event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [field]);
}

type ChipsProps<T extends string> = {
  label: string;
  value: T;
  options: readonly { value: T; text: string; count?: string | number | undefined }[];
  onChange: (value: T) => void;
};

/** Filter with a count for each option. */
export function Chips<T extends string>({ options, ...rest }: ChipsProps<T>) {
  const withCounts = options.map(({ value, text, count }) => ({
    value,
    text: (
      <>
        {text}
        <Count count={count} />
      </>
    ),
  }));
  return <Radios {...rest} options={withCounts} className={styles.chips} textClassName="filter" />;
}

function Count({ count }: { count: string | number | undefined }) {
  if (count === undefined) return null;
  return <small>{typeof count === 'number' ? formatNumber(count) : count}</small>;
}

/** A select in the toolbar. Its value describes itself. */
export function ToolbarSelect({ label, ...rest }: ComponentProps<typeof Options> & { label: string }) {
  return (
    <span className={styles.pick}>
      <Options aria-label={label} {...rest} />
      <Shape paths={staffShapes.chevron} size={16} />
    </span>
  );
}

export function ToolbarEnd({ children }: { children: ReactNode }) {
  return <div className={styles.end}>{children}</div>;
}
