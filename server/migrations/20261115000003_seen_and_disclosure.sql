-- When a side last read, for the words 'Seen 09:41'; and the line that says who answers.
alter table conversations
  add column visitor_seen_at timestamptz,
  add column owner_seen_at timestamptz;

alter table brand add column disclosure text;
