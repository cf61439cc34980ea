public import CoreMetrics

/// Where the metrics of a provider go. The page of this module lists them.
public struct PushMetrics: Sendable {
    let factory: (any MetricsFactory)?
    let dimensions: [(String, String)]

    /// - Parameters:
    ///   - factory: Nil is the factory that `MetricsSystem` has when the provider is made.
    ///   - dimensions: Names and values that each metric gets in addition to `gateway`, to tell several providers apart, such
    ///     as `("team", "TEAM123456")`.
    public init(_ factory: (any MetricsFactory)? = nil, dimensions: [(String, String)] = []) {
        self.factory = factory
        self.dimensions = dimensions
    }

    /// No metrics.
    public static let none = PushMetrics(NOOPMetricsHandler.instance)
}
