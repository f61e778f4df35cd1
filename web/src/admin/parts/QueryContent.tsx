import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ListFailed, ListLoading } from '../../staff/ListState.tsx';

type QueryContentProps<T> = {
  query: UseQueryResult<T, Error>;
  /** What it is called in "Couldn't load {thing}." */
  thing: string;
  children: (data: T) => ReactNode;
};

/** What was read, or that it is on its way, or that it could not be. Old news is shown rather than none. */
export function QueryContent<T>({ query, thing, children }: QueryContentProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    return (
      <ListFailed text={fillText(adminTexts.loadFailed, { thing })} onTryAgain={() => void query.refetch()} />
    );
  }
  return <ListLoading text={adminTexts.adminLoading} />;
}
