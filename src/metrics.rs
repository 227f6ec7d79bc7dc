//! The names and descriptions of the metrics, for a recorder of the crate `metrics`; the [guide](crate::guide::observability) has the list.

/// Gives the recorder that is installed the units and descriptions of all that is counted. Call it after the recorder was
/// installed and before the server listens; without it the numbers are the same.
///
/// ```
/// // metrics_exporter_prometheus::PrometheusBuilder::new().install_recorder()?;
/// grange::metrics::describe();
/// ```
pub fn describe() {
    grange_core::describe_metrics();
    #[cfg(feature = "http")]
    grange_http::describe_metrics();
}
