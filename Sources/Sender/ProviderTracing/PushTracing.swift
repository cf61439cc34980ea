public import Tracing

/// Where the spans of a provider go.
public struct PushTracing: Sendable {
    let tracer: (any Tracer)?

    /// - Parameter tracer: Nil is the tracer that `InstrumentationSystem` has when the provider is made.
    public init(_ tracer: (any Tracer)? = nil) { self.tracer = tracer }

    /// No spans.
    public static let none = PushTracing(NoOpTracer())
}
