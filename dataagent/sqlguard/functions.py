"""Which functions may be called, by engine and by position.  What is not listed is refused.

Typed sqlglot classes stand for many spellings; a name that sqlglot does not
know arrives as Anonymous and is looked up by its text.  Both the statement as
written and the statement as regenerated are checked.
"""

from __future__ import annotations

import re

from sqlglot import exp

from dataagent.sqlguard.refusals import Reason


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CLASSES = _words("""
    Abs Acos Acosh And AnyValue ApproxDistinct ApproxQuantile ApproxTopK ArgMax ArgMin Array ArrayAgg ArrayAll
    ArrayAny ArrayAppend ArrayCompact ArrayConcat ArrayContainedBy ArrayContains ArrayContainsAll
    ArrayDistinct ArrayExcept ArrayFilter ArrayFirst ArrayIntersect ArrayLast ArrayMax ArrayMin ArrayOverlaps
    ArrayPosition ArrayPrepend ArrayRemove ArrayReverse ArraySize ArraySlice ArraySort ArraySum ArrayToString
    ArraysZip Ascii Asin Asinh Atan Atan2 Atanh Avg Base64Encode BitLength BitwiseAndAgg BitwiseCount
    BitwiseOrAgg BitwiseXorAgg Booland Boolnot Boolor BoolxorAgg Case Cast Cbrt Ceil Chr Coalesce Collate
    Columns Concat ConcatWs Contains Corr Cos Cosh CosineDistance Cot Count CountIf CovarPop CovarSamp
    CumeDist CurrentDate CurrentTime CurrentTimestamp Date DateAdd DateBin DateDiff DateFromParts
    DateFromUnixDate DateStrToDate DateSub DateTrunc Datetime DatetimeAdd DatetimeDiff DatetimeSub
    DatetimeTrunc Day DayOfMonth DayOfWeek DayOfWeekIso DayOfYear Dayname Decode Degrees DenseRank DotProduct
    Encode EndsWith EqualNull EuclideanDistance Exists Exp Explode ExplodingGenerateSeries Extract Factorial
    First FirstValue Flatten Floor Format FromBase64 GenerateDateArray GenerateSeries GenerateTimestampArray
    Getbit Greatest GroupConcat Grouping GroupingId Hex HexDecodeString Hour If Initcap IsArray IsAscii IsInf
    IsNan JSONArray JSONArrayAgg JSONArrayContains JSONBContains JSONBContainsAllTopKeys
    JSONBContainsAnyTopKeys JSONBContainsTopKey JSONBDeleteAtPath JSONBExists JSONBExtract JSONBExtractScalar
    JSONBObjectAgg JSONBPathExists JSONExists JSONExtract JSONExtractArray JSONExtractScalar JSONFormat
    JSONKeys JSONObject JSONObjectAgg JSONStripNulls JSONTable JSONType JarowinklerSimilarity JustifyDays
    JustifyHours JustifyInterval Kurtosis Lag Last LastDay LastValue Lead Least Left Length Levenshtein List
    Ln Localtime Localtimestamp Log LogicalAnd LogicalOr Lower LowerHex MD5 MD5Digest MakeInterval
    ManhattanDistance Map MapContainsKey MapFromEntries MapKeys MapSize MatchAgainst Max Median Min Minute
    Mode Month Monthname MonthsBetween Normalize NthValue Ntile Nullif NumberToStr Nvl2 Or Overlay Pad
    ParseJSON PercentRank PercentileCont PercentileDisc Pi Pow Quantile Quarter Radians Rand Rank Reduce
    RegexpCount RegexpExtract RegexpExtractAll RegexpFullMatch RegexpILike RegexpInstr RegexpLike
    RegexpReplace RegexpSplit RegexpSubstr RegrAvgx RegrAvgy RegrCount RegrIntercept RegrR2 RegrSlope RegrSxx
    RegrSxy RegrSyy Repeat Replace Reverse Right Rint Round RowNumber RtrimmedLength SHA SHA1Digest SHA2
    SHA2Digest SafeDivide Second Sign Sin Sinh Skewness Soundex Space Split SplitPart Sqrt StartsWith Stddev
    StddevPop StddevSamp StrPosition StrToDate StrToTime StrToUnix StringToArray Struct StructExtract
    Substring Sum Tan Tanh Time TimeAdd TimeDiff TimeFromParts TimeStrToDate TimeStrToTime TimeSub TimeToStr
    TimeToUnix TimeTrunc Timestamp TimestampAdd TimestampDiff TimestampFromParts TimestampSub TimestampTrunc
    ToArray ToBase64 ToChar ToDays ToMap ToNumber Transform Translate Trim Trunc Try TryCast TsOrDsAdd
    TsOrDsDiff TsOrDsToDate TsOrDsToDateStr TsOrDsToTime TsOrDsToTimestamp Typeof Unhex Unicode UnixDate
    UnixMicros UnixMillis UnixSeconds UnixToTime Unnest Upper Uuid Variance VariancePop Week WeekOfYear
    WidthBucket Xor Year YearOfWeek YearOfWeekIso
""")
"""Typed classes that neither read outside the query nor change anything."""

_DUCKDB = _words("""
    abs acos acosh age aggregate any_value apply approx_count_distinct approx_quantile approx_top_k arbitrary
    arg_max arg_max_null arg_min arg_min_null argmax argmin array_agg array_aggr array_aggregate array_append
    array_apply array_cat array_concat array_contains array_cosine_distance array_cosine_similarity
    array_cross_product array_distance array_distinct array_dot_product array_extract array_filter
    array_grade_up array_has array_has_all array_has_any array_indexof array_inner_product array_intersect
    array_length array_pop_back array_pop_front array_position array_prepend array_push_back array_push_front
    array_reduce array_reverse array_reverse_sort array_select array_slice array_sort array_to_json
    array_to_string array_transform array_unique array_value array_where array_zip ascii asin asinh atan atan2
    atanh avg bar base64 bin bit_and bit_count bit_length bit_or bit_position bit_xor bool_and bool_or
    cardinality cbrt ceil ceiling century char_length character_length chr concat concat_ws contains corr cos
    cosh cot count count_if count_star countif covar_pop covar_samp damerau_levenshtein date_add date_diff
    date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname dayofmonth dayofweek
    dayofyear days_in_month decade decode degrees divide editdist3 element_at encode ends_with entropy
    enum_code enum_first enum_last enum_range epoch epoch_ms epoch_ns epoch_us equi_width_bins era even exp
    factorial favg fdiv filter first flatten floor fmod format format_bytes from_base64 from_binary from_hex
    from_json fsum gamma gcd gen_random_uuid generate_series generate_subscripts geomean geometric_mean
    get_bit get_current_timestamp grade_up greatest greatest_common_divisor group_concat hamming hash hex
    histogram histogram_exact hour if ifnull instr isfinite isinf isnan isodow isoyear jaccard jaro_similarity
    jaro_winkler_similarity json json_array json_array_length json_contains json_exists json_extract
    json_extract_path json_extract_path_text json_extract_string json_group_array json_group_object json_keys
    json_merge_patch json_object json_quote json_structure json_transform json_type json_valid json_value
    julian kahan_sum kurtosis kurtosis_pop last last_day lcase lcm least least_common_multiple left
    left_grapheme len length length_grapheme levenshtein lgamma list list_aggr list_aggregate list_any_value
    list_append list_apply list_avg list_bool_and list_bool_or list_cat list_concat list_contains list_count
    list_distance list_distinct list_dot_product list_element list_entropy list_extract list_filter list_first
    list_grade_up list_has list_has_all list_has_any list_indexof list_inner_product list_intersect list_last
    list_mad list_max list_median list_min list_mode list_pack list_position list_prepend list_product
    list_reduce list_reverse list_reverse_sort list_select list_slice list_sort list_stddev_pop
    list_stddev_samp list_string_agg list_sum list_transform list_unique list_value list_var_pop list_var_samp
    list_where list_zip listagg ln log log10 log2 lower lpad ltrim mad make_date make_time make_timestamp
    make_timestamp_ms make_timestamptz map map_concat map_contains map_contains_entry map_contains_value
    map_entries map_extract map_extract_value map_from_entries map_keys map_size map_values max max_by md5
    mean median microsecond millennium millisecond min min_by minute mismatches mod mode month monthname
    multiply nanosecond nextafter nfc_normalize now nullif octet_length ord parse_dirname parse_filename
    parse_path pi position pow power prefix printf product quantile quantile_cont quantile_disc quarter
    radians random range reduce regexp_escape regexp_extract regexp_extract_all regexp_full_match
    regexp_matches regexp_replace regexp_split_to_array regr_avgx regr_avgy regr_count regr_intercept regr_r2
    regr_slope regr_sxx regr_sxy regr_syy repeat replace reservoir_quantile reverse right right_grapheme round
    round_even roundbankers row row_to_json rpad rtrim second sem sha1 sha256 sign signbit sin sinh skewness
    split split_part sqrt starts_with stddev stddev_pop stddev_samp str_split str_split_regex strftime
    string_agg string_split string_split_regex string_to_array strip_accents strlen strpos strptime
    struct_concat struct_extract struct_insert struct_keys struct_pack struct_update struct_values substr
    substring substring_grapheme subtract suffix sum sum_no_overflow sumkahan tan tanh time_bucket timezone
    timezone_hour timezone_minute to_base to_base64 to_binary to_centuries to_days to_decades to_hex to_hours
    to_json to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds
    to_timestamp to_weeks to_years today translate trim trunc try_strptime typeof ucase unbin unhex unicode
    union_extract union_tag union_value unnest upper url_decode url_encode uuid var_pop var_samp variance wavg
    week weekday weekofyear weighted_avg xor year yearweek
""")

_POSTGRES = _words("""
    abs acos acosh age any_value array_agg array_append array_cat array_dims array_fill array_length
    array_lower array_ndims array_position array_positions array_prepend array_remove array_replace
    array_to_json array_to_string array_upper ascii asin asinh atan atan2 atanh avg bit_and bit_count
    bit_length bit_or bit_xor bool_and bool_or btrim cardinality cbrt ceil ceiling char_length
    character_length chr clock_timestamp coalesce concat concat_ws convert_from convert_to corr cos cosh cot
    count covar_pop covar_samp cume_dist date_bin date_part date_trunc daterange decode degrees dense_rank div
    encode erf every exp extract factorial family first_value floor format gcd gen_random_uuid generate_series
    generate_subscripts greatest grouping host initcap int4range int8range isempty isfinite json_agg
    json_array_elements json_array_elements_text json_array_length json_build_array json_build_object
    json_each json_each_text json_extract_path json_extract_path_text json_object json_object_agg
    json_object_keys json_strip_nulls json_typeof jsonb_agg jsonb_array_elements jsonb_array_elements_text
    jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path
    jsonb_extract_path_text jsonb_object jsonb_object_agg jsonb_object_keys jsonb_path_exists jsonb_path_query
    jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls jsonb_typeof
    justify_days justify_hours justify_interval lag last_value lcm lead least left length ln localtime
    localtimestamp log log10 lower lower_inc lower_inf lpad ltrim make_date make_interval make_time
    make_timestamp make_timestamptz masklen max md5 min mod mode network normalize now nth_value ntile nullif
    num_nonnulls num_nulls numrange octet_length overlay percent_rank percentile_cont percentile_disc
    phraseto_tsquery pi plainto_tsquery position power quote_ident quote_literal quote_nullable radians random
    range_merge rank regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace
    regexp_split_to_array regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_count regr_intercept
    regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace reverse right round row row_number
    row_to_json rpad rtrim scale sha224 sha256 sha384 sha512 sign sin sinh split_part sqrt starts_with
    statement_timestamp stddev stddev_pop stddev_samp string_agg string_to_array string_to_table strpos substr
    substring sum tan tanh timeofday timezone to_ascii to_char to_date to_hex to_json to_jsonb to_number
    to_timestamp to_tsquery to_tsvector transaction_timestamp translate trim trim_array trim_scale trunc
    ts_headline ts_rank ts_rank_cd tsrange tstzrange unnest upper upper_inc upper_inf uuid_extract_timestamp
    uuid_extract_version uuidv4 uuidv7 var_pop var_samp variance websearch_to_tsquery width_bucket
""")

NAMES = {"duckdb": _DUCKDB, "postgres": _POSTGRES}
"""Names of scalar and aggregate functions, lower case."""

TABLE_NAMES = {
    "duckdb": _words("range generate_series unnest json_each json_tree"),
    "postgres": _words("""
    generate_series generate_subscripts json_array_elements json_array_elements_text json_each json_each_text
    json_object_keys json_to_record json_to_recordset jsonb_array_elements jsonb_array_elements_text
    jsonb_each jsonb_each_text jsonb_object_keys jsonb_path_query jsonb_to_record jsonb_to_recordset
    regexp_matches regexp_split_to_table string_to_table unnest
"""),
}
"""Names that may stand where a table may."""

TABLE_CLASSES = (exp.Unnest, exp.GenerateSeries, exp.ExplodingGenerateSeries, exp.Explode, exp.JSONTable)
"""Typed classes that may stand where a table may."""

_FAMILIES = (
    (r"read_|sniff_|glob$|pg_read|pg_ls|pg_stat_file|lo_|parquet_|iceberg|.*_scan$|readcsv|readparquet", Reason.FILE),
    (r"query|json_.*serialize|.*_to_xml|.*_xmlschema|ts_stat|ts_rewrite|histogram_values|cursor_", Reason.DYNAMIC_SQL),
    (r"pragma_storage|histogram$", Reason.DYNAMIC_SQL),
    (r"duckdb_|pragma_|pg_show|pg_get_|obj_desc|col_desc", Reason.CATALOG),
    (r"nextval|setval|currval|lastval|pg_.*lock|pg_notify|pg_log|txid_", Reason.SIDE_EFFECT),
    (r"pg_export|pg_switch|pg_.*_stats", Reason.SIDE_EFFECT),
)
_PATTERNS = tuple((re.compile(pattern), reason) for pattern, reason in _FAMILIES)


def is_allowed_class(node: exp.Func, dialect: str) -> bool:
    """Whether a function node may stand in a scalar position; names are compared for unknown ones."""
    if isinstance(node, exp.Anonymous | exp.AnonymousAggFunc):
        name = spelled(node)
        return name is not None and (name in NAMES[dialect] or _is_table_call(node, name, dialect))
    return type(node).__name__ in CLASSES


def is_table_function(node: exp.Expr, dialect: str) -> bool:
    """Whether a node may stand where a table may."""
    if isinstance(node, exp.Anonymous):
        return spelled(node) in TABLE_NAMES[dialect]
    return isinstance(node, TABLE_CLASSES)


def spelled(node: exp.Func) -> str | None:
    """The function's name in lower case; None where it was quoted, because engines disagree about those."""
    name = node.this
    if isinstance(name, exp.Identifier):
        return None if name.args.get("quoted") or not name.name.isascii() else name.name.lower()
    return name.lower() if isinstance(name, str) and name.isascii() else None


def refused_function(node: exp.Func) -> Reason:
    """The reason to give for a function that is not allowed; the refusal does not depend on it."""
    name = (spelled(node) or "") if isinstance(node, exp.Anonymous) else type(node).__name__.lower()
    return next((reason for pattern, reason in _PATTERNS if pattern.match(name)), Reason.FUNCTION)


def _is_table_call(node: exp.Expr, name: str, dialect: str) -> bool:
    return isinstance(node.parent, exp.Table | exp.Lateral) and name in TABLE_NAMES[dialect]
