import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads an event stream over HTTP.
final class StreamReader: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var text = ""
        var waiting: [(text: String, resume: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func start(_ url: URL) -> URLSessionDataTask {
        var request = URLRequest(url: url)
        request.setValue("text/event-stream", forHTTPHeaderField: "accept")
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        let task = session.dataTask(with: request)
        task.resume()
        session.finishTasksAndInvalidate()
        return task
    }

    func urlSession(_: URLSession, dataTask _: URLSessionDataTask, didReceive data: Data) {
        let ready = state.withLock { state in
            state.text += String(decoding: data, as: UTF8.self)
            let ready = state.waiting.filter { state.text.contains($0.text) }
            state.waiting.removeAll { state.text.contains($0.text) }
            return ready
        }
        for waiting in ready { waiting.resume.resume() }
    }

    /// Returns when this text has come.
    func wait(for text: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !state.text.contains(text) { state.waiting.append((text, continuation)) }
                return state.text.contains(text)
            }
            if isThere { continuation.resume() }
        }
    }
}
