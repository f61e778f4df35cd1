-- Folds up to so many rows; returns how many. A row is gone from the one table when it is in the other, so readers count
-- it once. Two at a time would only wait for each other: the second one leaves.
create or replace function fold_figures(p_limit integer) returns integer language plpgsql as $$
declare
  v_folded integer;
begin
  if not pg_try_advisory_xact_lock(7365015) then return 0; end if;
  with taken as (
    delete from figures_fresh where ctid = any (array(select f.ctid from figures_fresh f limit p_limit)) returning *
  ),
  folded as (
    insert into figures as f
    select t.quarter, coalesce(sum(t.visitors), 0), coalesce(sum(t.replies), 0), coalesce(sum(t.conversations), 0),
      coalesce(sum(t.invites), 0), coalesce(sum(t.opened), 0), coalesce(sum(t.started), 0),
      coalesce(sum(t.answered), 0), coalesce(string_agg(t.waits, ''), '')
    from taken t group by t.quarter
    on conflict (quarter) do update set
      visitors = f.visitors + excluded.visitors,
      replies = f.replies + excluded.replies,
      conversations = f.conversations + excluded.conversations,
      invites = f.invites + excluded.invites,
      opened = f.opened + excluded.opened,
      started = f.started + excluded.started,
      answered = f.answered + excluded.answered,
      waits = f.waits || excluded.waits
  ),
  folded_by_profile as (
    insert into profile_figures as f
    select h.profile, t.quarter, coalesce(sum(t.visitors), 0), coalesce(sum(t.replies), 0),
      coalesce(sum(t.conversations), 0), coalesce(sum(t.invites), 0), coalesce(sum(t.opened), 0),
      coalesce(sum(t.started), 0), coalesce(sum(t.answered), 0)
    from taken t join handlers h on h.alias = t.alias and h.profile <> 'main' group by h.profile, t.quarter
    on conflict (profile, quarter) do update set
      visitors = f.visitors + excluded.visitors,
      replies = f.replies + excluded.replies,
      conversations = f.conversations + excluded.conversations,
      invites = f.invites + excluded.invites,
      opened = f.opened + excluded.opened,
      started = f.started + excluded.started,
      answered = f.answered + excluded.answered
  )
  select count(*) into v_folded from taken;
  return v_folded;
end $$;
