//! What is counted, by the facade of that name (the crate `metrics`); the names are in the [guide](crate::guide::watch).

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
