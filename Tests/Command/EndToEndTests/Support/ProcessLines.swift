import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a process prints, line by line, as long as it prints.
final class ProcessLines: Sendable {
    private struct State {
        var rest: [UInt8] = []
        var lines: [String] = []
        /// Up to where lines were handed out or passed over.
        var position = 0
        var isAtEnd = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Reads on a new thread to the end, and closes the descriptor.
    init(_ descriptor: Int32) {
        Thread.detachNewThread {
            var part = [UInt8](repeating: 0, count: 64 * 1024)
            var count = 1
            while count > 0 {
                count = part.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { count = 1 } else { self.receive(part.prefix(max(count, 0))) }
            }
            close(descriptor)
        }
    }

    private func receive(_ data: some Collection<UInt8>) {
        let waiting = state.withLock { state in
            state.rest += data
            var lines = state.rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let rest = lines.removeLast()
            state.lines += lines.map { String(decoding: $0, as: UTF8.self) }
            state.rest = Array(rest)
            if data.isEmpty {
                state.isAtEnd = true
                if !state.rest.isEmpty { state.lines.append(String(decoding: state.rest, as: UTF8.self)) }
            }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until `isReady` says so, which is asked whenever something was printed.
    private func wait(for isReady: @escaping @Sendable (_ lines: Int, _ isAtEnd: Bool) -> Bool) async {
        while true {
            let isDone = state.withLock { isReady($0.lines.count, $0.isAtEnd) }
            if isDone { return }
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if isReady(state.lines.count, state.isAtEnd) { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        }
    }

    /// The next line that contains `text`; nil at the end.
    func next(containing text: String) async -> String? {
        while true {
            let found: (line: String?, seen: Int, isAtEnd: Bool) = state.withLock { state in
                while state.position < state.lines.count {
                    let line = state.lines[state.position]
                    state.position += 1
                    if line.contains(text) { return (line, 0, false) }
                }
                return (nil, state.lines.count, state.isAtEnd)
            }
            if let line = found.line { return line }
            if found.isAtEnd { return nil }
            let seen = found.seen
            await wait { lines, isAtEnd in lines > seen || isAtEnd }
        }
    }

    /// Waits for so many lines, or for the end.
    func atLeast(_ count: Int) async { await wait { lines, isAtEnd in lines >= count || isAtEnd } }

    /// Everything, once the process has closed it.
    func all() async -> String {
        await wait { _, isAtEnd in isAtEnd }
        return text
    }

    /// What there is so far.
    var text: String { lines.map { $0 + "\n" }.joined() }
    var lines: [String] { state.withLock { $0.lines } }
}
