//! A tool whose result opens a view: HTML that the host shows in a frame, and that calls the server back through it.
//!
//! ```sh
//! cargo run --example apps                              # on http://127.0.0.1:8787/mcp
//! cargo run --example apps -- --addr 127.0.0.1:9000
//! ```
//!
//! A host without MCP Apps (`io.modelcontextprotocol/ui`) calls the same tool and shows its result like any other.

use grange::{Resource, Server, Structured, Tool, ToolError, http, resource, schemars, tool};

const USAGE: &str = "usage: apps [--addr ADDR]";
const VIEW: &str = "ui://forecast/view";
const LAST_DAY: u8 = 6;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Wanted {
    /// In English, as in `Utrecht`.
    city: String,
    /// From 0, which is today, to 6.
    #[serde(default)]
    day: u8,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Forecast {
    city: String,
    day: u8,
    sky: &'static str,
    /// In degrees Celsius, as `high` is.
    low: i16,
    high: i16,
}

#[tokio::main]
async fn main() -> grange::Result<()> {
    let addr = addr().unwrap_or_else(|problem| {
        eprintln!("{problem}\n{USAGE}");
        std::process::exit(2);
    });
    let server = Server::builder("forecasts", "1.0.0")
        .tool(forecast_tool())
        .resources([view(), legend()])
        .instructions("Forecasts of the weather, for demonstration: the numbers are made up.")
        .build()?;
    server.listen(http(addr).announce()).await
}

fn addr() -> Result<String, String> {
    let mut args = std::env::args().skip(1);
    match args.next().as_deref() {
        None => Ok("127.0.0.1:8787".to_owned()),
        Some("--addr") => args.next().ok_or_else(|| "--addr needs an address, as in 127.0.0.1:8787".to_owned()),
        Some(other) => Err(format!("unknown argument {other}")),
    }
}

fn forecast_tool() -> Tool {
    tool! {
        name: "forecast",
        title: "Weather forecast",
        description: "Forecasts the weather of a city, for one day of the coming week.",
        annotations: { read_only: true, open_world: false },
        ui: VIEW,
        call: |_cx, wanted: Wanted| async move { forecast(wanted) },
    }
}

/// Its frame may send requests with `fetch` to one origin, from which a real view would load measurements, and to no other.
fn view() -> Resource {
    resource! {
        uri: VIEW,
        name: "forecast-view",
        title: "Forecast",
        description: "Shows one forecast, and asks for that of the next day",
        ui: { connect_domains: ["https://api.example.com"], prefers_border: true },
        text: include_str!("apps/view.html"),
    }
}

/// What the view reads through its host, as a client reads it.
fn legend() -> Resource {
    resource! {
        uri: "docs://forecast/legend",
        name: "legend",
        title: "How to read a forecast",
        mime_type: "text/plain",
        text: "Low is before sunrise, high is in the afternoon, both in the shade.",
    }
}

fn forecast(wanted: Wanted) -> Result<Structured<Forecast>, ToolError> {
    let Wanted { city, day } = wanted;
    if day > LAST_DAY {
        return Err(ToolError::failed(format!("There is no forecast for day {day}: ask for 0, today, to {LAST_DAY}.")));
    }
    // Invented, and always the same for the same city and day.
    let seed = city.bytes().fold(day, u8::wrapping_add);
    let sky = ["sunny", "cloudy", "rainy", "windy"][usize::from(seed % 4)];
    let low = i16::from(seed / 4 % 15);
    Ok(Structured(Forecast { city, day, sky, low, high: low + 8 }))
}
