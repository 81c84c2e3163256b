// The way before, for comparison in the same run: NOTIFY in the transactions of contract changes and of the embedded bus.

const TABLES = { contract: 'outbox', bus: 'bus.message' }

/** Statements that a superuser runs once in the database `contract` or `bus`. The triggers are disabled. */
export const PREPARE_BEFORE = {
  contract: `
    create function bench_notify() returns trigger language plpgsql as
      $$ begin perform pg_notify('paraph_changes', new.key); return null; end $$;
    create trigger bench_notify after insert on outbox for each row when (new.type <> 'contract.created') execute function bench_notify();
    alter table outbox disable trigger bench_notify`,
  bus: `
    create function bus.bench_notify() returns trigger language plpgsql as
      $$ begin perform pg_notify('paraph_bus', new.topic); return null; end $$;
    create trigger bench_notify after insert on bus.message for each row execute function bus.bench_notify();
    alter table bus.message disable trigger bench_notify`,
}

/** @param database `contract` or `bus` */
export const switchBefore = (database, isOn) =>
  `alter table ${TABLES[database]} ${isOn ? 'enable' : 'disable'} trigger bench_notify`
