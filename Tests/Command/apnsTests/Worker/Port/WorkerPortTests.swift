import PushQueue
import Testing
import WorkerCore
import WorkerRuntime

@testable import apns

@Suite struct WorkerPortTests {
    private func view(_ change: (inout WorkerView) -> Void) -> WorkerView {
        var view = WorkerView(counts: WorkerCore(WorkerSettings(), tenants: []).counts)
        view.pauses = [("acme", false), ("beta", false)]
        view.breakers = [("https://a.example", false), ("https://b.example", false)]
        change(&view)
        return view
    }

    /// The answer to `/ready`, with the status in front.
    private func readiness(_ change: (inout WorkerView) -> Void) -> String {
        let (text, status) = WorkerPort.readiness(view(change))
        return "\(status) \(text)"
    }

    @Test func `a worker is ready while one tenant can send, and names gateways that cannot be reached`() {
        #expect(readiness { _ in } == "200 ready\n")
        let other = readiness {
            $0.breakers[1].isOpen = true
            $0.pauses[0].isPaused = true
        }
        #expect(other == "200 ready\nhttps://b.example cannot be reached\n")
    }

    @Test func `a worker that can send for nobody is not ready, and says why`() {
        let paused = readiness { $0.pauses = [("acme", true), ("beta", true)] }
        #expect(paused == "503 every tenant is paused\n")
        #expect(readiness { $0.hasQueue = false } == "503 the queue cannot be had\n")
        #expect(readiness { $0.isDraining = true } == "503 the worker is stopping\n")
    }

    @Test(arguments: [true, false])
    func `the metric of the queue says what readiness says, whatever the status of the queue`(_ hasQueue: Bool) {
        for status in [nil, QueueStatus(time: 0, engine: "Redis 7.0.15")] {
            let text = WorkerMetrics.text(view { $0.hasQueue = hasQueue }, status)
            #expect(text.contains("apns_worker_queue_up \(hasQueue ? 1 : 0)\n"))
            #expect(text.contains("apns_worker_dead") == (status != nil))
        }
        #expect(readiness { $0.hasQueue = hasQueue }.hasPrefix(hasQueue ? "200" : "503"))
    }

    @Test func `the board has the gateways and the warnings of the queue`() {
        let status = QueueStatus(time: 0, engine: "Redis 7.0.15", warnings: ["nothing is persisted"])
        let text = WorkerBoard.json("worker-a", view { $0.breakers[1].isOpen = true }, status)
        #expect(text.contains(#"{"gateway":"https://a.example","open":false}"#))
        #expect(text.contains(#"{"gateway":"https://b.example","open":true}"#))
        #expect(text.contains(#""warnings":["nothing is persisted"]"#))
        #expect(text.contains(#""obstacle":null"#))
        for id in ["gateways", "warnings"] {
            #expect(WorkerBoard.main.contains(#"<tbody id="\#(id)">"#))
            #expect(WorkerBoard.script.contains(#"rows("\#(id)""#))
        }
    }

    @Test func `metrics have the limits and what they allowed, where there are any`() {
        let text = WorkerMetrics.text(view { $0.rates = [(nil, 500, 120), ("acme", 50, 7)] }, nil)
        for line in [
            "apns_worker_rate_limit 500", #"apns_worker_rate_limit{tenant="acme"} 50"#,
            "apns_worker_rate_granted_total 120", #"apns_worker_rate_granted_total{tenant="acme"} 7"#,
        ] {
            #expect(text.contains(line + "\n"))
        }
        #expect(!WorkerMetrics.text(view { _ in }, nil).contains("rate_limit"))
    }
}
