import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ListFailed, ListLoading } from '../../staff/ListState.tsx';

type QueryContentProps<T> = {
  query: UseQueryResult<T, Error>;
  /** Used in "Couldn’t load {thing}." */
  thing: string;
  children: (data: T) => ReactNode;
};

/** Shows the data, a loading state or an error. Outdated data is kept on errors. */
export function QueryContent<T>({ query, thing, children }: QueryContentProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    return (
      <ListFailed text={fillText(adminTexts.loadFailed, { thing })} onTryAgain={() => void query.refetch()} />
    );
  }
  return <ListLoading text={adminTexts.adminLoading} />;
}
