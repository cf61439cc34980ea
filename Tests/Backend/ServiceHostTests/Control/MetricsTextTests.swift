import ServiceHost
import Testing

struct MetricsTextTests {
    @Test func `counts have the text format of Prometheus`() {
        var metrics = MetricsText(prefix: "service_")
        metrics.family("events_total", "counter", "Events taken in.")
        metrics.sample("events_total", 3, [("form", "web"), ("data_space", "default")])
        metrics.sample("events_total", 0)
        metrics.addResidentMemory(nil)
        metrics.addResidentMemory(4_096)
        #expect(
            metrics.text == """
                # HELP service_events_total Events taken in.
                # TYPE service_events_total counter
                service_events_total{form="web",data_space="default"} 3
                service_events_total 0
                # HELP process_resident_memory_bytes Resident memory of the process.
                # TYPE process_resident_memory_bytes gauge
                process_resident_memory_bytes 4096

                """)
        #expect(metrics.response.headers["content-type"]?.hasPrefix("text/plain;version=0.0.4") == true)
    }
}
