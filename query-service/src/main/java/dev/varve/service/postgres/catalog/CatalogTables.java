package dev.varve.service.postgres.catalog;

import java.util.List;
import java.util.Map;

/** PostgreSQL's catalog tables and functions, as far as tools use them, as statements of H2. */
final class CatalogTables {
  private CatalogTables() {}

  /** Those that stay empty, since nothing here has what they list. */
  private static final List<String> EMPTY =
      List.of(
          "pg_attrdef (oid int, adrelid int, adnum int, adbin varchar, adsrc varchar)",
          "pg_description (objoid int, classoid int, objsubid int, description varchar)",
          "pg_shdescription (objoid int, classoid int, description varchar)",
          "pg_index (indexrelid int, indrelid int, indnatts int, indisunique boolean,"
              + " indisprimary boolean, indisexclusion boolean, indimmediate boolean,"
              + " indisclustered boolean, indisvalid boolean, indcheckxmin boolean,"
              + " indisready boolean, indislive boolean, indisreplident boolean,"
              + " indkey int array, indoption int array, indexprs varchar, indpred varchar)",
          "pg_constraint (oid int, conname varchar, connamespace int, contype varchar,"
              + " condeferrable boolean, condeferred boolean, convalidated boolean, conrelid int,"
              + " contypid int, conindid int, conparentid int, confrelid int,"
              + " confupdtype varchar, confdeltype varchar, confmatchtype varchar,"
              + " conislocal boolean, coninhcount int, connoinherit boolean,"
              + " conkey int array, confkey int array, consrc varchar)",
          "pg_inherits (inhrelid int, inhparent int, inhseqno int)",
          "pg_trigger (oid int, tgrelid int, tgname varchar, tgfoid int, tgtype int,"
              + " tgenabled varchar, tgisinternal boolean, tgconstraint int)",
          "pg_rewrite (oid int, rulename varchar, ev_class int, ev_type varchar,"
              + " ev_enabled varchar, is_instead boolean)",
          "pg_proc (oid int, proname varchar, pronamespace int, proowner int, prolang int,"
              + " prorettype int, proretset boolean, proisagg boolean, prokind varchar,"
              + " pronargs int, proargtypes varchar, proallargtypes varchar,"
              + " proargnames varchar, proargmodes varchar, prosrc varchar)",
          "pg_enum (oid int, enumtypid int, enumsortorder real, enumlabel varchar)",
          "pg_range (rngtypid int, rngsubtype int)",
          "pg_depend (classid int, objid int, objsubid int, refclassid int, refobjid int,"
              + " refobjsubid int, deptype varchar)",
          "pg_extension (oid int, extname varchar, extnamespace int, extversion varchar)",
          "pg_foreign_table (ftrelid int, ftserver int, ftoptions varchar array)",
          "pg_foreign_server (oid int, srvname varchar)",
          "pg_language (oid int, lanname varchar)",
          "pg_auth_members (roleid int, member int, grantor int, admin_option boolean)",
          "pg_db_role_setting (setdatabase int, setrole int, setconfig varchar array)",
          "pg_indexes (schemaname varchar, tablename varchar, indexname varchar,"
              + " tablespace varchar, indexdef varchar)",
          "pg_matviews (schemaname varchar, matviewname varchar, matviewowner varchar,"
              + " definition varchar)",
          "pg_stat_user_tables (relid int, schemaname varchar, relname varchar)",
          "pg_event_trigger (oid int, evtname varchar)",
          "pg_sequence (seqrelid int)");

  /** Those that are filled. */
  private static final List<String> FILLED =
      List.of(
          "varve_session (datname varchar, nspname varchar, rolname varchar)",
          "pg_namespace (oid int, nspname varchar, nspowner int default 10,"
              + " nspacl varchar array)",
          "pg_class (oid int primary key, relname varchar, relnamespace int, relkind varchar,"
              + " relnatts int, reltype int default 0, reloftype int default 0,"
              + " relowner int default 10, relam int default 0, relfilenode int default 0,"
              + " reltablespace int default 0, relpages int default 0,"
              + " reltuples real default 0, relallvisible int default 0,"
              + " reltoastrelid int default 0, relhasindex boolean default false,"
              + " relisshared boolean default false, relpersistence varchar default 'p',"
              + " relchecks int default 0, relhasoids boolean default false,"
              + " relhaspkey boolean default false, relhasrules boolean default false,"
              + " relhastriggers boolean default false, relhassubclass boolean default false,"
              + " relrowsecurity boolean default false,"
              + " relforcerowsecurity boolean default false,"
              + " relispopulated boolean default true, relreplident varchar default 'd',"
              + " relispartition boolean default false, relacl varchar array,"
              + " reloptions varchar array, relpartbound varchar)",
          "pg_attribute (attrelid int, attname varchar, atttypid int, atttypmod int,"
              + " attlen int, attnum int, attnotnull boolean, attstattarget int default -1,"
              + " attndims int default 0, attcacheoff int default -1,"
              + " attbyval boolean default false, attstorage varchar default 'p',"
              + " attalign varchar default 'i', atthasdef boolean default false,"
              + " attisdropped boolean default false, attislocal boolean default true,"
              + " attinhcount int default 0, attcollation int default 0,"
              + " attidentity varchar default '', attgenerated varchar default '',"
              + " attacl varchar array, attoptions varchar array,"
              + " attfdwoptions varchar array)",
          "pg_type (oid int primary key, typname varchar, typlen int, typcategory varchar,"
              + " typinput varchar, typnamespace int default 11, typowner int default 10,"
              + " typbyval boolean default false, typtype varchar default 'b',"
              + " typispreferred boolean default false, typisdefined boolean default true,"
              + " typdelim varchar default ',', typrelid int default 0,"
              + " typelem int default 0, typarray int default 0,"
              + " typoutput varchar, typreceive varchar, typsend varchar,"
              + " typmodin varchar, typmodout varchar, typanalyze varchar,"
              + " typalign varchar default 'i', typstorage varchar default 'p',"
              + " typnotnull boolean default false, typbasetype int default 0,"
              + " typtypmod int default -1, typndims int default 0,"
              + " typcollation int default 0, typdefaultbin varchar, typdefault varchar,"
              + " typacl varchar array)",
          "pg_database (oid int, datname varchar, datdba int default 10,"
              + " encoding int default 6, datcollate varchar default 'C',"
              + " datctype varchar default 'C', datistemplate boolean default false,"
              + " datallowconn boolean default true, datconnlimit int default -1,"
              + " dattablespace int default 1663, datacl varchar array)",
          "pg_roles (oid int, rolname varchar, rolsuper boolean default false,"
              + " rolinherit boolean default true, rolcreaterole boolean default false,"
              + " rolcreatedb boolean default false, rolcanlogin boolean default true,"
              + " rolreplication boolean default false, rolconnlimit int default -1,"
              + " rolpassword varchar, rolvaliduntil timestamp, rolbypassrls boolean default"
              + " false, rolconfig varchar array)",
          "pg_user (usename varchar, usesysid int, usecreatedb boolean default false,"
              + " usesuper boolean default false)",
          "pg_am (oid int, amname varchar)",
          "pg_collation (oid int, collname varchar, collnamespace int default 11)",
          "pg_tablespace (oid int, spcname varchar, spcowner int default 10,"
              + " spcacl varchar array)",
          "pg_settings (name varchar, setting varchar, unit varchar, category varchar,"
              + " short_desc varchar, vartype varchar default 'string')",
          "pg_tables (schemaname varchar, tablename varchar, tableowner varchar,"
              + " tablespace varchar, hasindexes boolean default false,"
              + " hasrules boolean default false, hastriggers boolean default false)",
          "pg_views (oid int, schemaname varchar, viewname varchar, viewowner varchar,"
              + " definition varchar)");

  private static final Map<String, String> FUNCTIONS =
      Map.ofEntries(
          Map.entry("varve_database", "database"),
          Map.entry("varve_schema", "schema"),
          Map.entry("varve_user", "user"),
          Map.entry("current_schemas", "schemas"),
          Map.entry("version", "version"),
          Map.entry("pg_get_userbyid", "userById"),
          Map.entry("pg_table_is_visible", "isVisible"),
          Map.entry("pg_type_is_visible", "yes"),
          Map.entry("pg_function_is_visible", "yes"),
          Map.entry("has_table_privilege", "may"),
          Map.entry("has_schema_privilege", "may"),
          Map.entry("has_database_privilege", "may"),
          Map.entry("pg_is_in_recovery", "no"),
          Map.entry("to_regclass", "regclass"),
          Map.entry("format_type", "formatType"),
          Map.entry("pg_encoding_to_char", "encoding"),
          Map.entry("array_to_string", "arrayToString"),
          Map.entry("array_upper", "arrayUpper"),
          Map.entry("pg_get_expr", "none"),
          Map.entry("obj_description", "none"),
          Map.entry("col_description", "none"),
          Map.entry("shobj_description", "none"),
          Map.entry("pg_get_indexdef", "none"),
          Map.entry("pg_get_constraintdef", "none"),
          Map.entry("pg_get_function_result", "none"),
          Map.entry("pg_get_function_arguments", "none"),
          Map.entry("pg_get_partkeydef", "none"),
          Map.entry("pg_table_size", "none"),
          Map.entry("pg_relation_size", "none"),
          Map.entry("pg_total_relation_size", "none"),
          Map.entry("pg_size_pretty", "none"),
          Map.entry("pg_tablespace_location", "none"),
          Map.entry("pg_get_viewdef", "viewDefinition"),
          Map.entry("current_setting", "setting"));

  /** Makes an empty catalog. */
  static List<String> statements() {
    List<String> statements = new java.util.ArrayList<>();
    statements.add("CREATE SCHEMA pg_catalog");
    for (List<String> tables : List.of(EMPTY, FILLED)) {
      tables.forEach(table -> statements.add("CREATE TABLE pg_catalog." + table));
    }
    FUNCTIONS.forEach(
        (name, method) ->
            statements.add(
                "CREATE ALIAS pg_catalog."
                    + name
                    + " FOR '"
                    + CatalogFunctions.class.getName()
                    + "."
                    + method
                    + "'"));
    return statements;
  }
}
