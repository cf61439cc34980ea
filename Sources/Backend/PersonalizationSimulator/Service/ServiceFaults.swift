package import ServiceHost

/// What fault rules tell apart.
package enum ServicePath: String, FaultPath { case decisions, events }

package typealias ServiceFault = PathFault<ServicePath>
package typealias ServiceFaults = PathFaults<ServicePath>
