-- Creates the five databases of an installation, two roles for each, and one role that reads what `paraph verify invariants` compares.
-- Run it with psql 14 or newer on Postgres 16 or newer, as a superuser or as the administrator of a managed server (CREATEROLE and CREATEDB):
--   psql -X 'postgres://admin@db.example.com/postgres?sslmode=verify-full' -f deploy/databases.sql
-- The environment must contain the passwords of roles.env or of the Secret paraph-roles (`paraph secrets make`). The script is idempotent:
-- it keeps existing databases and roles and sets the passwords. A test compares it with libs/database/src/provision.ts. [D50]
-- The owner role migrates and the runtime role owns nothing, so that "append-only" also binds the service itself.
\set ON_ERROR_STOP on
\set QUIET on
set client_min_messages = warning;

-- Keep statements with passwords out of the server's log, if this role may change the settings.
select format('set %I = %L', name, value)
from (values ('log_statement', 'none'), ('log_min_error_statement', 'panic'), ('log_min_duration_statement', '-1')) as quiet (name, value)
where has_parameter_privilege(name, 'set')
\gexec

\set gateway_owner ''
\set gateway_runtime ''
\set contract_owner ''
\set contract_runtime ''
\set signing_owner ''
\set signing_runtime ''
\set notification_owner ''
\set notification_runtime ''
\set bus_owner ''
\set bus_runtime ''
\set paraph_verify ''
\getenv gateway_owner GATEWAY_OWNER_PASSWORD
\getenv gateway_runtime GATEWAY_RUNTIME_PASSWORD
\getenv contract_owner CONTRACT_OWNER_PASSWORD
\getenv contract_runtime CONTRACT_RUNTIME_PASSWORD
\getenv signing_owner SIGNING_OWNER_PASSWORD
\getenv signing_runtime SIGNING_RUNTIME_PASSWORD
\getenv notification_owner NOTIFICATION_OWNER_PASSWORD
\getenv notification_runtime NOTIFICATION_RUNTIME_PASSWORD
\getenv bus_owner BUS_OWNER_PASSWORD
\getenv bus_runtime BUS_RUNTIME_PASSWORD
\getenv paraph_verify PARAPH_VERIFY_PASSWORD

create temporary table wanted_role (name text primary key, password text not null);
insert into wanted_role values
  ('gateway_owner', :'gateway_owner'), ('gateway_runtime', :'gateway_runtime'),
  ('contract_owner', :'contract_owner'), ('contract_runtime', :'contract_runtime'),
  ('signing_owner', :'signing_owner'), ('signing_runtime', :'signing_runtime'),
  ('notification_owner', :'notification_owner'), ('notification_runtime', :'notification_runtime'),
  ('bus_owner', :'bus_owner'), ('bus_runtime', :'bus_runtime'),
  ('paraph_verify', :'paraph_verify');

do $$
declare
  missing text;
begin
  select string_agg(upper(name) || '_PASSWORD', ', ' order by name) into missing from wanted_role where password = '';
  if missing is not null then
    raise exception 'nothing was changed: these variables are missing in the environment: %', missing;
  end if;
end $$;

select format(
  '%s role %I login password %L',
  case when exists (select from pg_roles where rolname = name) then 'alter' else 'create' end, name, password
)
from wanted_role
\gexec

-- Without superuser rights, only a member of a role can create a database for it and set default privileges for its tables.
select format('grant %I to current_user with inherit true, set true', name)
from wanted_role
where name like '%\_owner' and not pg_has_role(current_user, name, 'set')
\gexec

select format('create database %I owner %I', service, service || '_owner')
from unnest(array['gateway', 'contract', 'signing', 'notification', 'bus']) as service
where not exists (select from pg_database where datname = service)
\gexec

-- A role connects to its own database alone. Every user may connect to these two by default; only their owner can change that.
select format('revoke connect on database %I from public', datname)
from pg_database
where datname in ('postgres', 'template1') and pg_has_role(current_user, datdba, 'usage')
\gexec

-- paraph_verify reads the views of the schema `verify` of each database, which hold no text, name or address, and the events of the bus. It
-- sees the activity and waits of other sessions, which the runbooks query. Some managed servers do not let their administrator grant this.
select 'grant pg_read_all_stats to paraph_verify'
where pg_has_role(current_user, 'pg_read_all_stats', 'member with admin option')
\gexec
select 'revoke pg_read_all_data from paraph_verify' where pg_has_role('paraph_verify', 'pg_read_all_data', 'member')
\gexec
alter role paraph_verify set search_path = verify, public;

\connect gateway
revoke all on database gateway from public;
grant connect on database gateway to gateway_runtime, paraph_verify;
alter schema public owner to gateway_owner;
grant usage on schema public to gateway_runtime;
alter default privileges for role gateway_owner in schema public grant select, insert, update, delete on tables to gateway_runtime;
alter default privileges for role gateway_owner in schema public grant usage, select on sequences to gateway_runtime;
create schema if not exists verify authorization gateway_owner;
grant usage on schema verify to paraph_verify;
grant select on all tables in schema verify to paraph_verify;
alter default privileges for role gateway_owner in schema verify grant select on tables to paraph_verify;

\connect contract
revoke all on database contract from public;
grant connect on database contract to contract_runtime, paraph_verify;
alter schema public owner to contract_owner;
grant usage on schema public to contract_runtime;
alter default privileges for role contract_owner in schema public grant select, insert, update, delete on tables to contract_runtime;
alter default privileges for role contract_owner in schema public grant usage, select on sequences to contract_runtime;
create schema if not exists verify authorization contract_owner;
grant usage on schema verify to paraph_verify;
grant select on all tables in schema verify to paraph_verify;
alter default privileges for role contract_owner in schema verify grant select on tables to paraph_verify;

\connect signing
revoke all on database signing from public;
grant connect on database signing to signing_runtime, paraph_verify;
alter schema public owner to signing_owner;
grant usage on schema public to signing_runtime;
alter default privileges for role signing_owner in schema public grant select, insert, update, delete on tables to signing_runtime;
alter default privileges for role signing_owner in schema public grant usage, select on sequences to signing_runtime;
create schema if not exists verify authorization signing_owner;
grant usage on schema verify to paraph_verify;
grant select on all tables in schema verify to paraph_verify;
alter default privileges for role signing_owner in schema verify grant select on tables to paraph_verify;

\connect notification
revoke all on database notification from public;
grant connect on database notification to notification_runtime, paraph_verify;
alter schema public owner to notification_owner;
grant usage on schema public to notification_runtime;
alter default privileges for role notification_owner in schema public grant select, insert, update, delete on tables to notification_runtime;
alter default privileges for role notification_owner in schema public grant usage, select on sequences to notification_runtime;
create schema if not exists verify authorization notification_owner;
grant usage on schema verify to paraph_verify;
grant select on all tables in schema verify to paraph_verify;
alter default privileges for role notification_owner in schema verify grant select on tables to paraph_verify;

-- Used only with EVENT_BUS=postgres. The migrations of this database grant the services their rights.
\connect bus
revoke all on database bus from public;
grant connect on database bus to bus_runtime, gateway_runtime, contract_runtime, signing_runtime, notification_runtime, paraph_verify;
alter schema public owner to bus_owner;
grant usage on schema public to bus_runtime;
alter default privileges for role bus_owner in schema public grant select, insert, update, delete on tables to bus_runtime;
alter default privileges for role bus_owner in schema public grant usage, select on sequences to bus_runtime;
alter default privileges for role bus_owner grant usage on schemas to paraph_verify;
alter default privileges for role bus_owner grant select on tables to paraph_verify;
