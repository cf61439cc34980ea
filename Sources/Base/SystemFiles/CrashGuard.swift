import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs a part of a program so that a crash in it, such as a failed precondition, does not end the program.
///
/// It is for programs that end soon: the thread that crashed stands still until then, with every lock that it has.
package enum CrashGuard {
    package enum Failure: Error, Hashable, CustomStringConvertible {
        /// - Parameter signal: The number of the signal, such as that of SIGILL for a failed precondition.
        case crashed(signal: Int32)
        case tookTooLong(Duration)
        /// What the body threw.
        case threw(String)
        /// The system gave no pipe or no thread.
        case notStarted(String)

        package var description: String {
            switch self {
            case .crashed(let signal): "it crashed (\(String(cString: strsignal(signal))), signal \(signal))"
            case .tookTooLong(let limit): "it was not done after \(limit.components.seconds) s"
            case .threw(let description): description
            case .notStarted(let description): "it could not be started: \(description)"
            }
        }
    }

    /// Those of a crash. SIGABRT is that of a failed assertion in C.
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV]
    /// One body at a time: a crash counts for the body that runs, on whichever thread it happens.
    private static let lock = Mutex(())
    /// Where the handler writes the number of the signal; negative while no body runs.
    private static let writer = Atomic<Int32>(-1)
    /// What a thread writes whose body is done. No signal has this number.
    private static let done: UInt8 = 0

    private final class Box<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    /// Runs `body` on a thread of its own, and blocks until it is done or has crashed, or the time is over.
    ///
    /// - Parameter limit: After it the thread is left to itself.
    package static func run<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () throws -> Value
    ) throws(Failure) -> Value {
        let outcome: Result<Value, Failure> = lock.withLock { _ in
            do throws(Failure) {
                return .success(try guarded(within: limit, body))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private static func guarded<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () throws -> Value
    ) throws(Failure) -> Value {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .notStarted(String(cString: strerror(errno))) }
        let (reading, writing) = (ends[0], ends[1])
        writer.store(writing, ordering: .sequentiallyConsistent)
        let former = signals.map { install(for: $0) }
        defer {
            writer.store(-1, ordering: .sequentiallyConsistent)
            for (signal, action) in zip(signals, former) {
                var action = action
                sigaction(signal, &action, nil)
            }
        }
        let box = Box<Value>()
        let status = start {
            let result = Result { try body() }
            box.result.withLock { $0 = result }
            var byte = done
            _ = SystemCall.write(writing, &byte, 1)
        }
        guard status == 0 else {
            close(reading)
            close(writing)
            throw .notStarted(String(cString: strerror(status)))
        }
        guard let byte = wait(for: reading, limit) else { throw .tookTooLong(limit) }  // its thread may still write
        close(reading)
        close(writing)
        guard byte == done, let result = box.result.withLock({ $0 }) else { throw .crashed(signal: Int32(byte)) }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw .threw("\(error)")
        }
    }

    /// The byte that was written; nil when the time is over.
    private static func wait(for reading: Int32, _ limit: Duration) -> UInt8? {
        let clock = ContinuousClock()
        let end = clock.now + limit
        while true {
            let rest = (end - clock.now).components
            let milliseconds = rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000
            guard milliseconds >= 0 else { return nil }
            var wanted = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, Int32(clamping: milliseconds + 1)) > 0 else { continue }
            var byte: UInt8 = 0
            if SystemCall.read(reading, &byte, 1) == 1 { return byte }
        }
    }

    // MARK: Signals and threads

    /// - Returns: The former action.
    private static func install(for signal: Int32) -> sigaction {
        var action = sigaction()
        var former = sigaction()
        // Only what a signal handler may do: no allocation, no lock.
        let handler: @convention(c) (Int32) -> Void = { signal in
            let descriptor = CrashGuard.writer.load(ordering: .sequentiallyConsistent)
            guard descriptor >= 0 else { return _ = raise(SIGKILL) }
            var byte = UInt8(truncatingIfNeeded: signal)
            _ = SystemCall.write(descriptor, &byte, 1)
            while true { pause() }
        }
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #elseif canImport(Musl)
            action.__sa_handler.sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
        action.sa_flags = Int32(SA_ONSTACK)
        sigemptyset(&action.sa_mask)
        sigaction(signal, &action, &former)
        return former
    }

    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a detached thread with a stack for signals, so that a stack overflow is caught too.
    ///
    /// - Returns: 0, or the number of the error.
    private static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        let context = Unmanaged.passRetained(Start(body))
        #if canImport(Darwin)
            var thread: pthread_t?
            let status = pthread_create(&thread, nil, { CrashGuard.enter($0) }, context.toOpaque())
            if let thread { pthread_detach(thread) }
        #else
            var thread = pthread_t()
            let status = pthread_create(&thread, nil, { CrashGuard.enter($0) }, context.toOpaque())
            if status == 0 { pthread_detach(thread) }
        #endif
        if status != 0 { context.release() }
        return status
    }

    private static let signalStackBytes = 64 << 10

    private static func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: signalStackBytes, alignment: 16)
        var stack = stack_t()
        stack.ss_sp = memory
        stack.ss_size = numericCast(signalStackBytes)
        sigaltstack(&stack, nil)
        Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
        stack.ss_flags = Int32(SS_DISABLE)
        sigaltstack(&stack, nil)
        memory.deallocate()
        return nil
    }
}
